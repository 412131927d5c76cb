import test from 'ava';
import type { ScoringWrite } from '../../src/storage/decisions/scoring-ledger.ts';
import { StorageAwayError, StorageBusyError } from '../../src/storage/storage-error.ts';
import type { WriteOutcome } from '../../src/workers/calls.ts';
import { createRemoteQueue } from '../../src/workers/remote-queue.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';

function entryOf(number: number): ScoringWrite {
  const decision = decisionWith({ requestId: `request-${number}`, processedAt: number });
  return { decision, quota: null, answer: null, staysQueued: false };
}

const granted = (used: number): WriteOutcome => ({ outcome: { granted: true, used } });

test('decisions of one turn are sent together, and each gets its own outcome', async (t) => {
  const groups: number[] = [];
  const noted: number[] = [];
  const start = createRemoteQueue(async (group) => {
    groups.push(group.length);
    return group.map(({ decision }) =>
      decision.processedAt === 1
        ? { error: { name: 'StorageBusyError', message: 'full', code: null, issues: [] } }
        : granted(decision.processedAt),
    );
  });
  const queue = start((_entry, used) => noted.push(used));
  const [zero, one, two] = await Promise.allSettled([0, 1, 2].map((i) => queue.add(entryOf(i))));
  t.deepEqual(zero, { status: 'fulfilled', value: { granted: true, used: 0 } });
  t.true(one?.status === 'rejected' && one.reason instanceof StorageBusyError);
  t.deepEqual(two, { status: 'fulfilled', value: { granted: true, used: 2 } });
  t.deepEqual(groups, [3]);
  t.deepEqual(noted, [0, 2], 'what was not written is not noted');
});

test('a writer that has ended fails the group once and is not asked again', async (t) => {
  let asked = 0;
  const queue = createRemoteQueue(async () => {
    asked++;
    throw new StorageAwayError('ended');
  })(() => {});
  const results = await Promise.allSettled([1, 2, 3].map((i) => queue.add(entryOf(i))));
  t.true(results.every((one) => one.status === 'rejected' && one.reason instanceof StorageAwayError));
  t.is(asked, 1);
});

test('a writer that does not answer is sent a bounded number of decisions', async (t) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const queue = createRemoteQueue(async (group) => {
    await held;
    return group.map(() => granted(0));
  })(() => {});
  const all = Promise.allSettled(Array.from({ length: 5_000 }, (_, i) => queue.add(entryOf(i))));
  t.is(queue.length(), 4_000);
  answer();
  const refused = (await all).filter((one) => one.status === 'rejected');
  t.is(refused.length, 1_000);
  t.is(queue.length(), 0);
});
