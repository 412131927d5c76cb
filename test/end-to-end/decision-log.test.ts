import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

function linesOf(path: string): readonly Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

for (const target of ['file', 'stdout'] as const) {
  test(`each decision is one line of the decision log in ${target}, without the address`, async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'logs/decisions.ndjson');
    const process = await startGatekeeperProcess(
      t,
      folder,
      `api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
log: {level: warn, decisions: {to: ${target === 'file' ? './logs/decisions.ndjson' : 'stdout'}}}
`,
    );
    const key = (await gatekeeper(folder, 'keys', 'create', '--name', 'test')).stdout.trim();
    const score = async (email: string) => {
      const answer = await fetch(`${process.url}/score-signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ email, ip_address: '203.0.113.9' }),
      });
      return ((await answer.json()) as { request_id: string }).request_id;
    };
    const first = await score('ada.lovelace@example.com');
    if (target === 'stdout') {
      await process.said(`"request_id":"${first}"`);
      t.false(process.output().includes('ada.lovelace'));
      t.is(await process.end('SIGTERM'), 0);
      return;
    }
    await until(() => linesOf(path).length === 1);
    renameSync(path, `${path}.1`);
    process.process.kill('SIGHUP');
    const scored = [first];
    await until(async () => {
      scored.push(await score(`grace${scored.length}@example.com`));
      return linesOf(path).length > 0;
    });
    t.is(await process.end('SIGTERM'), 0);
    const logged = [...linesOf(`${path}.1`), ...linesOf(path)];
    t.deepEqual(
      logged.map(({ request_id }) => request_id),
      scored,
    );
    t.false(readFileSync(`${path}.1`, 'utf8').includes('ada.lovelace'));
  });
}
