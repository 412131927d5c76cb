import { setTimeout as wait } from 'node:timers/promises';
import { openRecords } from '../../../src/storage/open-storage.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';

/** A process of its own, to be killed: decides and counts without end. Says how many, each time. Argument: database. */
const [, , file = ''] = process.argv;
const records = await openRecords({ url: `sqlite:${file}`, clock: Date.now });

async function decide(): Promise<void> {
  for (;;) await records.decisions.record(decisionWith({ processedAt: Date.now() }));
}

async function count(): Promise<void> {
  for (;;) {
    const { folded } = await records.rollups.fold();
    if (folded > 0) process.stdout.write(`${folded}\n`);
    await wait(5);
  }
}

await Promise.all([decide(), decide(), count()]);
