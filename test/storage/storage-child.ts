import { openSync, writeSync } from 'node:fs';
import { openStorage } from '../../src/storage/open-storage.ts';
import { decisionWith } from './decisions/decision-fixture.ts';

/**
 * A separate process, to be killed or slowed: commits scorings at a concurrency until it is stopped. Acknowledgements
 * go to a file at once, because the buffer of a pipe is lost with the process: `+ <request id>`
 */
const CONCURRENCY = 50;
const [file = '', said = '', accountId = '', count = '0', limit = '0'] = process.argv.slice(2);
const records = await openStorage({ url: `sqlite:${file}`, clock: Date.now });
let left = count === '0' ? Number.POSITIVE_INFINITY : Number(count);

const output = openSync(said, 'a');

function say(line: string): void {
  writeSync(output, `${line}\n`);
  process.stdout.write(`${line}\n`);
}

async function work(): Promise<void> {
  while (left-- > 0) {
    const decision = decisionWith({ accountId, scope: accountId, processedAt: Date.now() });
    try {
      const outcome = await records.ledger.commit({
        ...{ accountId, keyId: 'key', limit: Number(limit) || null, decision },
        answer: { idempotencyKey: decision.requestId, bodySha256: 'b', body: '{}' },
      });
      say(outcome.granted ? `+ ${decision.requestId}` : `- ${outcome.used}`);
    } catch (error) {
      say(`! ${(error as Error).name} ${(error as Error).message}`);
    }
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, work));
await records.close();
say('closed');
