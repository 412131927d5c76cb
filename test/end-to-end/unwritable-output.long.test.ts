import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { COMMAND, ENV, gatekeeper } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const GONE = 'gone';
const FULL = '/dev/full';

const UNREAD = 'unread';
/** Each writes a line of about a kilobyte. A pipe holds less than a quarter of a megabyte. */
const LOGGED_REQUESTS = 600;

/** A process whose standard output is a full disk, a pipe whose reader is gone, or one that is not read. */
function run(t: ExecutionContext, folder: string, args: readonly string[], output: string) {
  const disk = output === FULL ? openSync(FULL, 'w') : null;
  const child = spawn(process.execPath, [...COMMAND, ...args], {
    ...{ cwd: folder, env: ENV },
    stdio: ['ignore', disk ?? 'pipe', 'pipe'],
  });
  if (disk !== null) closeSync(disk);
  if (output === GONE) child.stdout?.destroy();
  const said = { error: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.error += text;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, said, ended };
}

for (const output of [FULL, GONE]) {
  test(`a server whose log goes to ${output} answers requests and stops with 0`, async (t) => {
    const folder = temporaryFolder(t);
    const port = await freePort();
    const config = { api: { listen: `127.0.0.1:${port}` }, dashboard: { listen: '127.0.0.1:0' } };
    writeFileSync(join(folder, 'gatekeeper.yaml'), JSON.stringify(config));
    const { child, said, ended } = run(t, folder, ['serve'], output);
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return answer?.status === 200 || child.exitCode !== null;
    });
    // SIGHUP writes lines to the log.
    for (let i = 0; i < 3; i++) child.kill('SIGHUP');
    for (let i = 0; i < 3; i++) t.is((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
    child.kill('SIGTERM');
    t.is((await ended)[0], 0);
    t.false(said.error.includes('    at '), said.error);
    if (output === FULL) t.regex(said.error, /Standard output cannot be written.*ENOSPC/);
  });
}

test('a server whose log is not read answers requests, and writes the waiting lines later', async (t) => {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const key = 'a key of this test';
  const sha256 = createHash('sha256').update(key).digest('hex');
  const config = {
    api: { listen: `127.0.0.1:${port}`, keys: [{ name: 'test', sha256, plan: 'unlimited' }] },
    dashboard: { listen: '127.0.0.1:0' },
    // A busy machine is no reason to refuse.
    server: { max_lag: '60s' },
  };
  writeFileSync(join(folder, 'gatekeeper.yaml'), JSON.stringify(config));
  const { child, said, ended } = run(t, folder, ['serve'], UNREAD);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200);
  for (let i = 0; i < LOGGED_REQUESTS; i++) {
    const answer = await fetch(`${url}/score-signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ email: `jane${i}@gmail.com`, ip_address: '2.125.160.216' }),
      signal: AbortSignal.timeout(30_000),
    });
    t.is(answer.status, 200);
  }
  let log = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const decisions = () => log.split('\n').filter((line) => line.includes('"request_id"')).length;
  await until(() => decisions() === LOGGED_REQUESTS);
  child.kill('SIGTERM');
  t.is((await ended)[0], 0);
  t.is(said.error, '');
});

test('a command says that its output cannot be written, and fails', async (t) => {
  const { said, ended } = run(t, temporaryFolder(t), ['data', 'catalogue'], FULL);
  t.is((await ended)[0], 2);
  t.regex(said.error, /^Standard output cannot be written: ENOSPC[^\n]*\n$/);
});

test('a command whose reader is gone ends without a word', async (t) => {
  const { said, ended } = run(t, temporaryFolder(t), ['data', 'catalogue'], GONE);
  t.is((await ended)[0], 0);
  t.is(said.error, '');
});

for (const output of [FULL, GONE]) {
  test(`a key that could not be written is revoked, and its name is free: ${output}`, async (t) => {
    const folder = temporaryFolder(t);
    const { said, ended } = run(t, folder, ['keys', 'create', '--name', 'shop'], output);
    t.is((await ended)[0], 2);
    t.regex(
      said.error,
      /key could not be written to standard output, so it is revoked\. Run the command again\.\n/,
    );
    const [key] = JSON.parse((await gatekeeper(folder, 'keys', 'list', '--json')).stdout);
    t.is(key.state, 'revoked');
    const again = await gatekeeper(folder, 'keys', 'create', '--name', 'shop');
    t.is(again.code, 0);
    t.regex(again.stdout, /^gk_live_\S+\n$/);
  });

  test(`a link that could not be written is an error that names the command for another: ${output}`, async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(
      join(folder, 'gatekeeper.yaml'),
      JSON.stringify({ dashboard: { listen: '127.0.0.1:8090' } }),
    );
    const email = 'ada@shop.example';
    const { said, ended } = run(
      t,
      folder,
      ['accounts', 'invite', '--email', email, '--role', 'support'],
      output,
    );
    t.is((await ended)[0], 2);
    const [, command = ''] =
      /link could not be written to standard output\. For another one: gatekeeper (.+)\n/.exec(said.error) ??
      [];
    const again = await gatekeeper(folder, ...command.split(' '));
    t.is(again.code, 0, again.stderr);
    t.regex(again.stdout, /^http:\/\/\S+\n$/);
  });
}
