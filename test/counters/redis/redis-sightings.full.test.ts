import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createPseudonymizer } from '../../../src/assessment/identity.ts';
import type { SharedSightings } from '../../../src/counters/counters.ts';
import { NOON, openGateServer } from '../../gate/gate-server.ts';
import { REDIS_PROGRAMS, startRedis } from '../../helpers/redis-server.ts';
import { route } from '../../helpers/routes.ts';
import { openNode, PATIENCE_MS, type SharedNode } from '../../helpers/shared-counters.ts';
import { until } from '../../helpers/until.ts';

const redisTest = REDIS_PROGRAMS.length > 0 ? test : test.skip;
if (REDIS_PROGRAMS.length === 0) test.skip('sightings in Redis: redis-server is missing here', () => {});

const HOUR = 3_600_000;
const pseudonymize = createPseudonymizer('a secret for the tests of shared visits');

function sightingsOf({ counters }: SharedNode): SharedSightings {
  if (counters.sightings === null) throw new Error('shared counters share sightings');
  return counters.sightings;
}

redisTest('what one node noted, another node with the same secret finds until it has expired', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const url = `redis://127.0.0.1:${server.port}`;
  const secret = randomUUID();
  const [one, other, stranger] = await Promise.all([
    openNode(t, url, { secret, deadlineMs: PATIENCE_MS }),
    openNode(t, url, { secret, deadlineMs: PATIENCE_MS }),
    openNode(t, url, { deadlineMs: PATIENCE_MS }),
  ]);
  t.is(await sightingsOf(other).find('a visitor'), null);
  sightingsOf(one).note('a visitor', NOON, HOUR);
  await until(async () => (await sightingsOf(other).find('a visitor')) === NOON);
  t.is(await sightingsOf(stranger).find('a visitor'), null);
  const keys = await server.admin.keys('*');
  t.notRegex(keys.join(), /visitor/);
  const values = await Promise.all(keys.map((key) => server.admin.get(key).catch(() => null)));
  const noted = keys[values.indexOf(String(NOON))] ?? '';
  const lifetime = await server.admin.pttl(noted);
  t.true(lifetime > 0 && lifetime <= HOUR, String(lifetime));
  sightingsOf(one).note('soon gone', NOON, 50);
  await until(async () => (await sightingsOf(other).find('soon gone')) === null);
});

redisTest('after a loss, or a sighting that was not kept, what came before is incomplete', async (t) => {
  const server = await startRedis();
  const node = await openNode(t, `redis://127.0.0.1:${server.port}`, { deadlineMs: PATIENCE_MS });
  const sightings = sightingsOf(node);
  const opened = sightings.completeSince();
  sightings.note('a visitor', NOON, HOUR);
  await until(async () => (await sightings.find('a visitor')) === NOON);
  t.is(sightings.completeSince(), opened);
  await server.admin.flushall();
  await until(() => node.losses() > 0);
  const lost = sightings.completeSince();
  t.true(lost > opened);
  await server.stop();
  await until(() => Date.now() > lost);
  sightings.note('another', NOON, HOUR);
  await until(() => sightings.completeSince() > lost);
  await t.throwsAsync(sightings.find('another'));
});

redisTest('a loss right after the start is noticed', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  for (let round = 0; round < 10; round++) {
    const node = await openNode(t, `redis://127.0.0.1:${server.port}`, { deadlineMs: PATIENCE_MS });
    await server.admin.flushall();
    await until(() => node.losses() > 0);
    t.is(node.losses(), 1);
    await node.counters.close();
  }
});

redisTest('a page over one process and a signup over another are one visitor', async (t) => {
  const server = await startRedis();
  const url = `redis://127.0.0.1:${server.port}`;
  const secret = randomUUID();
  const nodes = [0, 1].map(() => openNode(t, url, { secret, deadlineMs: PATIENCE_MS }));
  const gates = await Promise.all(
    nodes.map(async (node) => {
      const shared = sightingsOf(await node);
      return openGateServer(t, {
        routes: [route('/signup', { form: ['/signup'] })],
        // The server has been complete since the start of the gate's own clock.
        visits: { pseudonymize, shared: { ...shared, completeSince: () => 0 } },
        app: (_request, response) => void response.writeHead(200).end('page'),
      });
    }),
  );
  const [one, other] = gates;
  if (!one || !other) throw new Error('two gates were opened');
  const visit = async (gate: typeof one, userAgent: string) => {
    const answer = await fetch(`${gate.url}/signup`, { headers: { 'user-agent': userAgent } });
    await answer.arrayBuffer();
  };
  const signUp = async (gate: typeof one, userAgent: string) => {
    const answer = await gate.signUp('low@example.com', { 'user-agent': userAgent });
    await answer.arrayBuffer();
    return gate.judged.at(-1)?.formVisit;
  };
  for (const gate of gates) {
    await visit(gate, 'A stranger');
    gate.clock.now += 2 * HOUR;
    await visit(gate, 'A stranger');
  }
  await visit(one, 'A browser');
  one.clock.now += 9_000;
  other.clock.now += 9_000;
  await until(async () => (await signUp(other, 'A browser'))?.secondsBefore === 9);
  t.deepEqual(await signUp(other, 'A browser'), { secondsBefore: 9, knownHours: 2 });
  t.deepEqual(await signUp(other, 'Another browser'), { secondsBefore: null, knownHours: 2 });
  await server.stop();
  t.is(await signUp(other, 'Another browser'), null);
  t.like(await signUp(one, 'A browser'), { secondsBefore: 9 });
});
