import test from 'ava';
import { until } from '../helpers/until.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { startDashboard, type Visitor } from './dashboard-server.ts';

/** Each asks again as soon as it has an answer. */
const LANES = 150;
/** More than sockets hold. */
const DECISIONS = 300;
const LONG = { plain: { email: 'ann@example.com', ip: '203.0.113.9', userAgent: 'x'.repeat(100_000) } };

test('a user who reads many pages at once does not have those of others refused', async (t) => {
  const { signIn, records } = await startDashboard(t);
  const [greedy, other] = [await signIn('member'), await signIn('member', 'other@example.com')];
  const decision = { accountId: greedy.accountId, processedAt: Date.now() - 1 };
  for (let batch = 0; batch < 10; batch++)
    await Promise.all(Array.from({ length: 250 }, () => records.decisions.record(decisionWith(decision))));
  let isOver = false;
  const ofGreedy = new Set<number>();
  const lane = async () => {
    while (!isOver) ofGreedy.add((await greedy.get('/decisions')).status);
  };
  const flood = Promise.all(Array.from({ length: LANES }, lane));
  const ofOther: number[] = [];
  while (ofOther.length < 5) ofOther.push((await other.get('/decisions')).status);
  isOver = true;
  await flood;
  t.deepEqual([...new Set(ofOther)], [200]);
  t.deepEqual([...ofGreedy].sort(), [200, 503]);
});

test('two exports of a user run at a time, and those of others meanwhile', async (t) => {
  const { url, signIn, records } = await startDashboard(t);
  const [greedy, other] = [await signIn('member'), await signIn('member', 'other@example.com')];
  for (let i = 0; i < DECISIONS; i++)
    await records.decisions.record(
      decisionWith({ accountId: greedy.accountId, processedAt: Date.now() - 1, ...LONG }),
    );
  const begin = ({ cookie }: Visitor) =>
    fetch(`${url}/decisions/export.ndjson`, { headers: { cookie, accept: 'text/html' } });
  const [first, second] = [await begin(greedy), await begin(greedy)];
  t.deepEqual([first.status, second.status], [200, 200]);
  const refused = await begin(greedy);
  t.is(refused.status, 503);
  t.regex(await refused.text(), /Two of your exports are under way/);
  t.is((await begin(other)).status, 200);
  await first.body?.cancel();
  await until(async () => (await greedy.get('/decisions/export.csv?level=high')).status === 200);
  await second.body?.cancel();
});
