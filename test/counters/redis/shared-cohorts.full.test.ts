import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Cohorts } from '../../../src/counters/cohorts/cohort.ts';
import { createCohorts } from '../../../src/counters/memory-counters.ts';
import { createKeyNames } from '../../../src/counters/redis/key-names.ts';
import { createSealedText } from '../../../src/counters/redis/sealed-text.ts';
import { type SharedCohorts, shareCohorts } from '../../../src/counters/redis/shared-cohorts.ts';
import { connect } from '../../helpers/redis-counters.ts';
import { REDIS_PROGRAMS, schemeOf, startRedis } from '../../helpers/redis-server.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SETTINGS = { signups: 10, timesUsual: 2.2 };
const STYLES = ['n.n', 'nn', 'o', 'od2', 'ln'];

const see = (cohorts: Pick<Cohorts, 'observe'>, style: string, member: string, at: number) =>
  cohorts.observe(
    {
      ...{ scope: 'gate', member, cells: [{ kind: 'all', group: '', style }] },
      sighted: { domain: null, mailbox: member },
    },
    at,
    SETTINGS,
  );

/** A student of one university, whose people have one style. */
const seeStudent = (cohorts: Pick<Cohorts, 'observe'>, mailbox: string, at: number) =>
  cohorts.observe(
    {
      ...{ scope: 'gate', member: 'uni-bonn.de', cells: [{ kind: 'all', group: '', style: 'sd5' }] },
      sighted: { domain: 'uni-bonn.de', mailbox },
    },
    at,
    SETTINGS,
  );

/**
 * Runs the step that many times, in several turns of the event loop: a connection whose answers are not read for a second
 * counts as silent.
 */
async function repeat(times: number, step: (i: number) => void): Promise<void> {
  for (let i = 0; i < times; i++) {
    step(i);
    if (i % 100 === 99) await nextTurn();
  }
}

/** Four days of ten signups an hour: what every node reads from stored decisions at its start. */
async function withPast(): Promise<Cohorts> {
  const cohorts = createCohorts();
  await repeat(960, (i) => see(cohorts, STYLES[i % 5] ?? 'o', `person ${i}`, START + i * 6 * MINUTE));
  return cohorts;
}
const NOW = START + 960 * 6 * MINUTE;

const engines = await Promise.all(
  REDIS_PROGRAMS.map(async (program) => {
    const server = await startRedis([], { program });
    return { program, server, connection: await connect(`${schemeOf(program)}://127.0.0.1:${server.port}`) };
  }),
);
for (const { program, server, connection } of engines) {
  test.after.always(async () => {
    connection.close();
    await server.stop();
  });

  const openFleet = async (t: ExecutionContext, nodes: number) => {
    const secret = randomUUID();
    const stream = createKeyNames(secret).limitKey('cohorts', '');
    const sealed = createSealedText(secret);
    const pasts = await Promise.all(Array.from({ length: nodes }, withPast));
    const fleet = pasts.map((local) =>
      shareCohorts({
        ...{ local, sealed, everyMs: 0 },
        call: (command, ...args) => connection.call(command, stream, ...args),
      }),
    );
    t.teardown(() => {
      for (const node of fleet) node.close();
    });
    for (const node of fleet) await node.exchange();
    return { fleet, stream };
  };
  const exchangeAll = async (fleet: readonly SharedCohorts[]) => {
    for (const node of [...fleet, ...fleet]) await node.exchange();
  };

  test(`${program}: a campaign that is spread over three nodes is noticed as on one`, async (t) => {
    const { fleet } = await openFleet(t, 3);
    const alone = await withPast();
    for (let i = 0; i < 30; i++) {
      const at = NOW + i * MINUTE;
      const node = fleet[i % 3];
      if (!node) throw new Error('a node is missing');
      const shared = see(node, 'mix', `bot ${i}`, at).surge;
      t.deepEqual(shared, see(alone, 'mix', `bot ${i}`, at).surge, `signup ${i}`);
      await exchangeAll(fleet);
    }
    t.not(see(alone, 'mix', 'next', NOW + 30 * MINUTE).surge, null);
  });

  test(`${program}: new domains behind one mail server are noticed over three nodes as on one`, async (t) => {
    const { fleet } = await openFleet(t, 3);
    const alone = await withPast();
    const seeDomain = (cohorts: Pick<Cohorts, 'observe'>, domain: string, host: string, at: number) =>
      cohorts.observe(
        {
          ...{ scope: 'gate', member: domain, sighted: { domain, mailbox: domain } },
          cells: [
            { kind: 'all', group: '', style: 'n.n' },
            { kind: 'mail_server', group: '', style: `mx:${host}` },
          ],
        },
        at,
        SETTINGS,
      );
    for (const cohorts of [alone, ...fleet]) {
      for (let i = 0; i < 60; i++)
        seeDomain(cohorts, `known-${i}.de`, `host-${i % 9}.de`, NOW + i * 20 * MINUTE);
    }
    await exchangeAll(fleet);
    const later = NOW + 3 * DAY;
    const gap = [40, 95, 70, 120, 55];
    let at = later;
    for (let i = 0; i < 30; i++) {
      at += (gap[i % 5] ?? 60) * 1_000 + i * 700;
      const node = fleet[i % 3];
      if (!node) throw new Error('a node is missing');
      seeDomain(node, `new-${i}.de`, 'relay.net', at);
      seeDomain(alone, `new-${i}.de`, 'relay.net', at);
    }
    // A server on a busy machine may answer an exchange too late; the next one sends again.
    for (let round = 0; round < 20; round++) await exchangeAll(fleet);
    const next = (cohorts: Pick<Cohorts, 'observe'>) =>
      seeDomain(cohorts, 'new-31.de', 'relay.net', at + 80_000).surge;
    const expected = next(alone);
    t.like(expected, { cell: { kind: 'mail_server' }, count: 31 });
    for (const node of fleet) t.deepEqual(next(node)?.count, expected?.count);
  });

  test(`${program}: a refused signup that was not sent yet reaches no other node`, async (t) => {
    const { fleet } = await openFleet(t, 2);
    const [one, two] = fleet;
    if (!one || !two) throw new Error('a node is missing');
    for (let i = 0; i < 40; i++) one.takeBack('gate', see(one, 'mix', `bot ${i}`, NOW + i * 1_000).counted);
    await exchangeAll(fleet);
    for (let i = 0; i < 9; i++) t.is(see(two, 'mix', `person ${i} of two`, NOW + i * 1_000).surge, null);
    t.is(see(one, 'mix', 'a person', NOW + 60_000).surge, null);
  });

  test(`${program}: a domain that keeps its share on one node does so on all, every mailbox counts`, async (t) => {
    const { fleet } = await openFleet(t, 2);
    const [one, two] = fleet;
    if (!one || !two) throw new Error('a node is missing');
    await repeat(1_920, (i) => {
      const at = NOW + i * 6 * MINUTE;
      if (i % 2 === 0) seeStudent(one, `student ${i}`, at);
      else see(one, 'n.n', `person ${NOW + i}`, at);
    });
    // A server on a busy machine may answer an exchange too late; the next one sends again.
    for (let round = 0; round < 20; round++) await exchangeAll(fleet);
    const [here, there] = [one, two].map((node) => seeStudent(node, 'a student', NOW + 8 * DAY).usual);
    t.true((here?.usual ?? 0) > 0.2, JSON.stringify(here));
    t.deepEqual(there, here);
  });

  test(`${program}: no domain, user agent or name of a site can be read in the stream`, async (t) => {
    const { fleet, stream } = await openFleet(t, 2);
    const [one, two] = fleet;
    if (!one || !two) throw new Error('a node is missing');
    const cells = [
      { kind: 'provider', group: 'acme-works.com', style: 'n.n' },
      { kind: 'browser', group: 'Mozilla/5.0', style: 'n.n' },
    ] as const;
    const sighted = { domain: 'acme-works.com', mailbox: 'someone' };
    one.observe({ scope: 'shop account', member: 'acme-works.com', cells, sighted }, NOW, SETTINGS);
    await exchangeAll(fleet);
    const stored = JSON.stringify(await connection.call('xrange', stream, '-', '+'));
    t.true(stored.length > 100);
    for (const text of ['acme', 'Mozilla', 'shop', 'n.n']) t.false(stored.includes(text), text);
  });

  test(`${program}: the stream keeps a bounded number of signups, and foreign entries do no harm`, async (t) => {
    const { fleet, stream } = await openFleet(t, 2);
    const [one, two] = fleet;
    if (!one || !two) throw new Error('a node is missing');
    await connection.call('xadd', stream, '*', 'e', 'not an entry');
    for (let round = 0; round < 12; round++) {
      await repeat(3_000, (i) => see(one, STYLES[i % 5] ?? 'o', `${round} ${i}`, NOW + round * 3_000 + i));
      await exchangeAll(fleet);
    }
    const kept = Number(await connection.call('xlen', stream));
    t.true(kept >= 1_024 && kept < 1_200, String(kept));
    t.is(see(two, 'n.n', 'a person', NOW + MINUTE).surge, null);
  });

  test(`${program}: signups of the time without the server arrive once it answers again`, async (t) => {
    const secret = randomUUID();
    const stream = createKeyNames(secret).limitKey('cohorts', '');
    const sealed = createSealedText(secret);
    let isAway = false;
    const open = async () =>
      shareCohorts({
        local: await withPast(),
        sealed,
        call: (command, ...args) =>
          isAway ? Promise.reject(new Error('away')) : connection.call(command, stream, ...args),
        everyMs: 0,
      });
    const [one, two] = [await open(), await open()];
    await exchangeAll([one, two]);
    isAway = true;
    for (let i = 0; i < 20; i++) see(one, 'mix', `bot ${i}`, NOW + i * MINUTE);
    await t.notThrowsAsync(exchangeAll([one, two]));
    t.is(see(two, 'mix', 'too early', NOW + 20 * MINUTE).surge, null);
    isAway = false;
    await exchangeAll([one, two]);
    t.not(see(two, 'mix', 'now', NOW + 21 * MINUTE).surge, null);
  });
}
if (REDIS_PROGRAMS.length === 0) test.skip('styles in Redis: redis-server is missing here', () => {});
