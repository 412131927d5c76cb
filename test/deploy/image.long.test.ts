import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { isInstalled, runProgram } from '../helpers/programs.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { executeDockerfile, listOf, readInstructions, textOf, versionOf } from './dockerfile.ts';
import { forbiddenCalls } from './forbidden-calls.ts';

const RUN_IMAGE = fileURLToPath(new URL('run-image.sh', import.meta.url));
const PROGRAMS = ['unshare', 'setpriv', 'ip', 'pgrep', 'strace', 'systemd-analyze'];
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const run = isRoot && PROGRAMS.every(isInstalled) ? test : test.skip;

const CONFIG = `
storage: {records: "sqlite:/var/lib/gatekeeper/gatekeeper.db"}
proxy: {listen: "0.0.0.0:8000", public_url: "http://127.0.0.1:8000", upstream: "http://127.0.0.1:3000", routes: [{path: /signup}]}
log: {decisions: {to: /var/lib/gatekeeper/decisions.ndjson}}
`;

/** Runs the image until it is healthy, looks at its process, and stops it. */
async function runRestricted(t: ExecutionContext, root: string, forbidden: readonly string[]) {
  const result = temporaryFolder(t);
  const health = readInstructions().find(({ name }) => name === 'HEALTHCHECK')?.text ?? '';
  const command = listOf(/CMD (\[.*\])$/.exec(health)?.[1] ?? '[]');
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const { code, output } = await runProgram('unshare', [
    ...['--mount', '--net', 'sh', RUN_IMAGE, root, result, quoted, forbidden.join(','), '--'],
    ...listOf(textOf('ENTRYPOINT')),
    ...listOf(textOf('CMD')),
  ]);
  t.is(code, 0, output);
  const read = (name: string) => readFileSync(join(result, name), 'utf8').trim();
  t.is(read('health'), 'healthy');
  const [uid] = textOf('USER').split(':');
  t.regex(read('status'), new RegExp(`Uid:\\t${uid}\\t${uid}`));
  t.regex(read('status'), /CapEff:\t0+\n/);
  t.regex(read('status'), /CapBnd:\t0+\n/);
  t.regex(read('status'), /NoNewPrivs:\t1/);
  t.is(read('writes').match(/Read-only file system/g)?.length, 3, read('writes'));
  t.true(read('writes').includes('data-writable'));
  t.true(read('data').includes('gatekeeper.db'));
  t.is(read('code'), '0', read('output'));
  return read;
}

run(
  'the steps of the Dockerfile make an image that runs read-only, as its user, without rights',
  async (t) => {
    t.timeout(1_500_000);
    const root = await executeDockerfile(temporaryFolder(t), { installs: IS_FULL_PROOF });
    const app = join(root, 'opt/gatekeeper');
    t.not(versionOf(app, 'koa'), null);
    for (const name of ['typescript', 'ava', '@biomejs/biome', 'express', 'kubernetes-models'])
      t.is(versionOf(app, name), null, `${name} is for development`);
    for (const name of ['src', 'test', 'scripts', 'docs']) t.false(existsSync(join(app, name)), name);
    const size = await runProgram('du', ['-sm', root]);
    t.log(`${size.output.split('\t')[0]} MB without the base image`);
    mkdirSync(join(root, 'etc/gatekeeper'), { recursive: true });
    writeFileSync(join(root, 'etc/gatekeeper/gatekeeper.yaml'), CONFIG);

    await runRestricted(t, root, []);

    // As under the systemd unit: its command is the same, and its forbidden system calls fail.
    const calls = await forbiddenCalls();
    t.true(calls.length > 50, calls.join());
    const read = await runRestricted(
      t,
      root,
      calls.map((call) => `?${call}`),
    );
    t.log(`forbidden and tried: ${[...new Set(read('forbidden').match(/\b\w+(?=\()/g))].join(' ')}`);
  },
);

test('the image runs as a user that is not root, and stops by SIGTERM', (t) => {
  t.regex(textOf('USER'), /^[1-9]\d+:[1-9]\d+$/);
  t.is(textOf('STOPSIGNAL'), 'SIGTERM');
  t.deepEqual(listOf(textOf('ENTRYPOINT')), ['node', '/opt/gatekeeper/dist/cli/main.js']);
});
