import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import type { Account } from '../../src/storage/accounts/account-store.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { optionsToRun } from '../helpers/run-module.ts';

const CHILD = new URL('storage-child.ts', import.meta.url);
/** More where time does not matter: GATEKEEPER_KILL_ROUNDS=200 npx ava test/storage/durability.full.test.ts */
const ROUNDS = Number(process.env.GATEKEEPER_KILL_ROUNDS ?? 5);

interface Setting {
  readonly file: string;
  readonly account: Account;
  readonly open: () => Promise<Storage>;
}

async function prepare(t: ExecutionContext): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-durability-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gatekeeper.db');
  const open = () => openStorage({ url: `sqlite:${file}`, clock: Date.now });
  const records = await open();
  const account = await records.accounts.create({ name: 'shop', plan: 'hobby' });
  await records.close();
  return { file, account, open };
}

/** Runs a child to its end, which `onLine` may cause. Returns its output, up to the last acknowledgement. */
async function runChild(
  [file = '', ...args]: readonly string[],
  {
    fileLimitKb,
    onLine,
  }: { fileLimitKb?: number; onLine?: (child: ChildProcess, line: string) => void } = {},
): Promise<{ readonly lines: readonly string[]; readonly code: number | null }> {
  const said = `${file}-said-${randomUUID()}`;
  const node = [process.execPath, ...optionsToRun(CHILD), file, said, ...args];
  const limit = fileLimitKb === undefined ? '' : `ulimit -f ${fileLimitKb} && `;
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) onLine?.(child, line);
  const [code] = await closed;
  return { lines: readFileSync(said, 'utf8').split('\n').slice(0, -1), code };
}

const granted = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('+ ')).map((line) => line.slice(2));

test('killed at any moment, no acknowledged count is lost and none is counted twice', async (t) => {
  const { file, account, open } = await prepare(t);
  const acknowledged: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    let toGo = 1 + Math.floor(Math.random() * 2_000);
    const { lines } = await runChild([file, account.id], {
      onLine: (child, line) => {
        if (line.startsWith('+ ') && --toGo === 0) child.kill('SIGKILL');
      },
    });
    const records = await open();
    acknowledged.push(...granted(lines));
    // All of them at the end: a later recovery must not lose what an earlier one kept.
    const looked = round < ROUNDS ? granted(lines) : acknowledged;
    for (const requestId of looked) {
      const isStored = (await records.decisions.find(requestId, account.id)) !== null;
      const isAnswered = (await records.ledger.findAnswer(account.id, requestId, Date.now())) !== null;
      if (!isStored || !isAnswered) t.fail(`${requestId} was acknowledged, but is not there`);
    }
    let rows = 0;
    for await (const _ of records.decisions.recent(0)) rows += 1;
    const { used } = await records.quotas.usage(account.id, Date.now());
    t.is(used, rows, 'each decision was counted once');
    t.true(
      used >= acknowledged.length && used <= acknowledged.length + 50 * round,
      'but for those in flight',
    );
    await records.close();
  }
  t.true(acknowledged.length >= ROUNDS);
});

test('two processes on one file share a quota exactly', async (t) => {
  const { file, account, open } = await prepare(t);
  const children = await Promise.all([1, 2].map(() => runChild([file, account.id, '900', '1000'])));
  const ids = children.flatMap(({ lines }) => granted(lines));
  t.deepEqual(
    children.map(({ code }) => code),
    [0, 0],
  );
  t.is(ids.length, 1_000);
  t.is(children.flatMap(({ lines }) => lines).filter((line) => line === '- 1000').length, 800);
  const records = await open();
  t.is((await records.quotas.usage(account.id, Date.now())).used, 1_000);
  await records.close();
});

test('a full disk fails the requests, counts none of them, and the process lives', async (t) => {
  const { file, account, open } = await prepare(t);
  const { lines, code } = await runChild([file, account.id, '3000'], { fileLimitKb: 1_500 });
  const ids = granted(lines);
  t.is(code, 0, 'the process went on to its end');
  t.true(ids.length > 0, 'some fitted');
  t.true(lines.filter((line) => line.startsWith('! StorageError')).length > 0, 'some did not');
  t.is(ids.length + lines.filter((line) => line.startsWith('! ')).length, 3_000, 'all were answered');
  const records = await open();
  const { used } = await records.quotas.usage(account.id, Date.now());
  t.is(used, ids.length, 'what failed was not counted, with space again');
  let rows = 0;
  for await (const _ of records.decisions.recent(0)) rows += 1;
  t.is(rows, ids.length);
  await records.close();
});

test('a key made or revoked just before the process is killed stays so', async (t) => {
  const { file, account, open } = await prepare(t);
  const running = await open();
  const key = { accountId: account.id, test: false, expiresAt: null };
  await running.apiKeys.create({ ...key, name: 'kept', sha256: 'aa', lastFour: 'aaaa' });
  await running.apiKeys.create({ ...key, name: 'gone', sha256: 'bb', lastFour: 'bbbb' });
  await running.apiKeys.revoke('gone');
  // The state after a kill: the file and its log, without a close or a checkpoint.
  const left = `${file}-left`;
  copyFileSync(file, left);
  copyFileSync(`${file}-wal`, `${left}-wal`);
  await running.close();
  const restarted = await openStorage({ url: `sqlite:${left}`, clock: Date.now });
  t.truthy(await restarted.apiKeys.authorize('aa', Date.now()));
  t.is(await restarted.apiKeys.authorize('bb', Date.now()), null);
  await restarted.close();
});
