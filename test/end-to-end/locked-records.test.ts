import test, { type ExecutionContext } from 'ava';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { retryWhileBusy } from '../../src/storage/engine/write-queue.ts';
import { openGatedApp, proxyTo } from '../helpers/gated-app.ts';
import { route } from '../helpers/routes.ts';
import { start } from '../start-gatekeeper.ts';

async function openLocked(t: ExecutionContext) {
  const marks: (string | string[] | undefined)[] = [];
  const port = await openGatedApp(t, ({ headers, method }) => {
    if (method === 'POST') marks.push(headers['x-gatekeeper-degraded']);
  });
  const { gatekeeper, folder } = await start(t, () => ({
    proxy: proxyTo(port, { routes: [route('/signup', { on_medium: 'forward', on_high: 'forward' })] }),
  }));
  const other = openSqlite(`${folder}/gatekeeper.db`);
  // The start may still write.
  await retryWhileBusy(async () => other.exec('BEGIN IMMEDIATE'));
  t.teardown(() => {
    other.exec('ROLLBACK');
    other.close();
  });
  return { url: gatekeeper.gate?.url ?? '', marks };
}

test('while another program holds the lock of the database, signups pass without their record, and pages are fast', async (t) => {
  const { url, marks } = await openLocked(t);
  const signUp = (name: string) =>
    fetch(`${url}/signup`, { method: 'POST', body: new URLSearchParams({ email: `${name}@gmail.com` }) });
  const statuses: number[] = [];
  const waits: number[] = [];
  for (const name of ['jane.doe', 'john.roe', 'mary.major', 'richard.miles']) {
    const signup = signUp(name);
    for (let pages = 0; pages < 5; pages++) {
      const from = performance.now();
      await (await fetch(`${url}/`)).text();
      waits.push(performance.now() - from);
    }
    statuses.push((await signup).status);
  }
  t.deepEqual(statuses, [200, 200, 200, 200]);
  t.deepEqual(marks, ['true', 'true', 'true', 'true']);
  const [, , , , , , , , , , p50 = Number.NaN] = waits.sort((a, b) => a - b);
  t.true(p50 < 100, `half of the pages took longer than ${p50} ms`);
});
