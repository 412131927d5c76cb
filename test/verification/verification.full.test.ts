import test from 'ava';
import { testMailBudgets } from './mail-budgets.contract.ts';
import { startVerification, submit } from './verification-server.ts';

const MINUTE_MS = 60_000;

testMailBudgets(1_000);

test('tokens of every kind that is not valid are answered alike, and the medians of the times are printed', async (t) => {
  const server = await startVerification(t);
  const used = await server.holdAndMail('a@example.com');
  await submit(server, used.path, { code: used.code });
  const expired = await server.holdAndMail('b@example.com');
  server.now += 30 * MINUTE_MS;
  const waiting = await server.holdAndMail('c@example.com');
  const paths = {
    forged: `/.gatekeeper/verify/${'A'.repeat(43)}`,
    truncated: waiting.path.slice(0, -1),
    expired: expired.path,
    replayed: used.path,
  };
  const times = new Map<string, number[]>();
  const pages = new Set<string>();
  for (let round = 0; round < 100; round++) {
    // In turns, so that whatever else the machine does falls on all alike.
    for (const [kind, path] of Object.entries(paths)) {
      const sentAt = performance.now();
      const answer = await submit(server, path, { code: waiting.code });
      pages.add(`${answer.status} ${await answer.text()}`);
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - sentAt]);
    }
  }
  const medians = [...times].map(([kind, all]) => `${kind} ${all.sort((a, b) => a - b)[50]?.toFixed(2)} ms`);
  t.log(`medians of 100: ${medians.join(', ')}`);
  t.is(pages.size, 1);
});
