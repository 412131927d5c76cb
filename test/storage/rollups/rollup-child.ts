import { setTimeout as wait } from 'node:timers/promises';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';

/** A separate process, to be killed: decides and counts without end. Prints how many, each time. Argument: database. */
const [, , file = ''] = process.argv;
const records = await openStorage({ url: `sqlite:${file}`, clock: Date.now });

async function decide(): Promise<void> {
  for (;;) await records.decisions.record(decisionWith({ processedAt: Date.now() }));
}

async function count(): Promise<void> {
  for (;;) {
    const { aggregated } = await records.rollups.aggregate();
    if (aggregated > 0) process.stdout.write(`${aggregated}\n`);
    await wait(5);
  }
}

await Promise.all([decide(), decide(), count()]);
