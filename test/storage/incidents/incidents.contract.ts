import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import type { AttackEvent } from '../../../src/storage/attacks/attack-event.ts';
import { findJumps } from '../../../src/storage/incidents/find-jumps.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';
import { aggregateAll } from '../rollups/rollup-fixture.ts';

const test = anyTest as TestFn;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const feedsOld = { kind: 'feeds_old', key: '', facts: { names: 'tor' } } as const;
const form = (path: string) =>
  ({ kind: 'unjudged_signups', key: `POST ${path}`, facts: { count: 20 } }) as const;

/** The contract of every engine. */
export function testIncidents(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('a condition that several processes see at once is one incident', async (t, open) => {
    const [one, other] = [await open(() => NOON), await open(() => NOON)];
    const begun = await Promise.all(
      [one, other, one, other].map(({ incidents }) => incidents.observe(NOON, [feedsOld])),
    );
    t.is(begun.flat().length, 1);
    const [incident] = await one.incidents.within({ from: NOON, to: NOON + 1 });
    t.like(incident, { ...feedsOld, beganAt: NOON, seenAt: NOON });
    t.deepEqual(await other.incidents.find(incident?.id ?? ''), incident ?? null);
    t.is(await other.incidents.find('unknown'), null);
  });

  contract(
    'a condition that lasts is one incident, and a new one when it comes back later',
    async (t, open) => {
      const { incidents } = await open(() => NOON);
      for (let minutes = 0; minutes <= 120; minutes += 30) {
        const facts = { names: `tor after ${minutes}` };
        await incidents.observe(NOON + minutes * MINUTE, [{ ...feedsOld, facts }]);
      }
      const all = { from: 0, to: NOON + 30 * DAY };
      const lasting = await incidents.within(all);
      t.is(lasting.length, 1);
      t.like(lasting[0], { beganAt: NOON, seenAt: NOON + 2 * HOUR, facts: { names: 'tor after 120' } });
      await incidents.observe(NOON + 2 * DAY, [feedsOld]);
      t.is((await incidents.within(all)).length, 2);
      t.is(await incidents.deleteBefore(NOON + DAY), 1);
      t.is((await incidents.within(all)).length, 1);
    },
  );

  contract('a scanner that tries many paths makes five incidents a day', async (t, open) => {
    const { incidents } = await open(() => NOON);
    const paths = Array.from({ length: 30 }, (_, i) => form(`/scan-${i}`));
    t.is((await incidents.observe(NOON, paths)).length, 5);
    t.is((await incidents.observe(NOON + HOUR, paths)).length, 0);
    t.is((await incidents.observe(NOON + 2 * DAY, [form('/new')])).length, 1);
  });

  contract('messages of deleted incidents and attacks are removed, others stay', async (t, open) => {
    const { incidents, alerts } = await open(() => NOON);
    const [incident] = await incidents.observe(NOON, [feedsOld]);
    const eventId = incident?.id ?? '';
    await alerts.plan([{ eventId, receiver: 'team' }], NOON);
    await alerts.plan([{ eventId: 'deleted', receiver: 'team' }], NOON);
    await alerts.deleteOrphans();
    t.is(await alerts.claim(NOON, MINUTE, ['other', 'team']), null);
    t.deepEqual(await alerts.claim(NOON, MINUTE, ['other']), { eventId, receiver: 'team', tries: 0 });
    t.is(await alerts.claim(NOON, MINUTE, []), null);
  });

  contract(
    'refusals and degraded decisions that jump are found, those of an attack are not',
    async (t, open) => {
      const records = await open(() => NOON);
      await week(records);
      const find = () => findJumps({ ...records, now: NOON + 30 * MINUTE });
      await sign(records, NOON, { count: 90, refused: 5, degraded: 1 });
      t.deepEqual(await find(), []);
      await sign(records, NOON, { count: 60, refused: 50, degraded: 40 });
      const found = await find();
      t.deepEqual(
        found.map(({ kind, facts }) => ({ kind, part: facts.part, whole: facts.whole, since: facts.since })),
        [
          { kind: 'refusals_jump', part: 55, whole: 150, since: NOON },
          { kind: 'degraded_jump', part: 41, whole: 150, since: NOON },
        ],
      );
      const event: AttackEvent = {
        ...{ id: 'attack', kind: 'domain', key: 'crowd.example', name: 'crowd.example' },
        ...{ attempts: 50, mailboxes: 50, stopped: 50, beganAt: NOON, endedAt: NOON + MINUTE },
      } as const;
      const attacks = { within: async () => [event] };
      const explained = await findJumps({ rollups: records.rollups, attacks, now: NOON + 30 * MINUTE });
      t.deepEqual(
        explained.map(({ kind }) => kind),
        ['degraded_jump'],
      );
    },
  );
}

/** Twenty signups an hour, one of them refused. */
async function week(records: Storage): Promise<void> {
  for (let hours = 2; hours < 50; hours++) {
    await sign(records, NOON - hours * HOUR, { count: 20, refused: 1, degraded: 0 });
  }
}

async function sign(
  records: Storage,
  at: number,
  { count, refused, degraded }: Readonly<Record<'count' | 'refused' | 'degraded', number>>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      records.decisions.record(
        decisionWith({
          ...{ requestId: createRequestId(at), processedAt: at + i, door: 'gate', route: 'web' },
          ...{ mode: 'enforce', action: i < refused ? 'block' : 'forward', degraded: i < degraded },
          riskLevel: i < refused ? 'high' : 'low',
        }),
      ),
    ),
  );
  await aggregateAll(records);
}
