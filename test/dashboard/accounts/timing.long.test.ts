import { monitorEventLoopDelay } from 'node:perf_hooks';
import test, { type ExecutionContext } from 'ava';
import { createPasswordHasher } from '../../../src/accounts/password-hasher.ts';
import { MINUTE_MS, PASSWORD, startAccountServer } from './account-server.ts';

const ATTEMPTS = 5;

/** Other load on the machine moves a few milliseconds now and then; a real difference is there in each attempt. */
async function compare(t: ExecutionContext, rounds: number, ask: (email: string) => Promise<unknown>) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ratio = await ratioOf(t, rounds, ask);
    if (ratio > 0.5 && ratio < 2) return t.pass();
  }
  t.fail(`in each of ${ATTEMPTS} attempts the times differed`);
}

/** Sends requests in turn for an email with and without an account, and compares the lower quartiles. */
async function ratioOf(t: ExecutionContext, rounds: number, ask: (email: string) => Promise<unknown>) {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['known', 'unknown'] as const) {
      const startedAt = performance.now();
      await ask(kind === 'known' ? 'jane@gmail.com' : `john${round}@gmail.com`);
      times[kind].push(performance.now() - startedAt);
    }
  }
  const [quarter, half] = [0.25, 0.5].map((part) => ({
    known: quantile(times.known, part),
    unknown: quantile(times.unknown, part),
  }));
  t.log(`medians: ${half?.known.toFixed(1)} ms with an account, ${half?.unknown.toFixed(1)} ms without`);
  const ratio = (quarter?.known ?? 0) / (quarter?.unknown ?? 1);
  t.log(`lower quartiles: with an account ${ratio.toFixed(3)} of without`);
  return ratio;
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

test.serial('the time of a refused sign-in does not show whether the account exists', async (t) => {
  const { browser, person, clock, records } = await startAccountServer(t);
  const { accountId } = await person('jane@gmail.com');
  // The hash of `person` is a cheap one.
  const password = await createPasswordHasher().hash(PASSWORD);
  await records.users.changePassword({ accountId, password, keepSession: '' });
  await compare(t, 12, async (email) => {
    clock.now += 15 * MINUTE_MS;
    const { status } = await browser().post('/sign-in', { email, password: 'wrong' });
    t.is(status, 403);
  });
});

for (const path of ['/register', '/forgotten']) {
  test.serial(`how long ${path} takes does not tell whether there is an account`, async (t) => {
    const server = await startAccountServer(t, { registration: 'open', trusted_proxies: ['127.0.0.1'] });
    await server.records.users.invite({ email: 'jane@gmail.com', role: 'member', plan: 'hobby' });
    let visitors = 0;
    await compare(t, 40, async (email) => {
      visitors++;
      const { status } = await server.browser().send({
        ...{ method: 'POST', path, body: `email=${encodeURIComponent(email)}` },
        // Each from its own network, since velocity is not measured here.
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': `84.${visitors >> 8}.${visitors & 255}.9`,
        },
      });
      t.is(status, 200);
    });
  });
}

test.serial('twenty sign-ins at once do not block the event loop', async (t) => {
  const { browser, person } = await startAccountServer(t);
  await person('jane@gmail.com');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      browser().post('/sign-in', { email: `u${i}@gmail.com`, password: 'wrong' }),
    ),
  );
  delay.disable();
  t.true(answers.every(({ status }) => status === 403));
  const [p99, max] = [delay.percentile(99) / 1e6, delay.max / 1e6];
  t.log(`event loop delayed by ${p99.toFixed(1)} ms (p99), ${max.toFixed(1)} ms at most`);
  // One hash on the event loop would block it for at least 100 ms, twenty hashes for seconds.
  t.true(p99 < 200);
});
