import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);
/** The project that was built. Where tests are compiled, `dist` is a link to it, and npm packs no links. */
const project = dirname(realpathSync(fileURLToPath(new URL('../../dist', import.meta.url))));
const { name, version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));

interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

let packed: Promise<Packed> | null = null;
const destination = mkdtempSync(join(tmpdir(), 'gatekeeper-package-'));
test.after.always('the package is removed', () => rmSync(destination, { recursive: true }));

/** Once for all tests. */
function pack(): Promise<Packed> {
  packed ??= runPack();
  return packed;
}

async function runPack(): Promise<Packed> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination];
  const { stdout } = await run('npm', args, { cwd: project });
  const [{ filename, files }] = JSON.parse(stdout);
  return { tarball: join(destination, filename), files: files.map(({ path }: { path: string }) => path) };
}

/** The package in an empty project, with its production dependencies and no others. Returns the program. */
async function install({ tarball }: Packed, folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, name), { recursive: true });
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, name)]);
  const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: project });
  for (const path of stdout.trim().split('\n')) {
    const inModules = relative(join(project, 'node_modules'), path);
    // A nested package comes with the one that it is nested in.
    if (inModules.startsWith('..') || inModules.includes('node_modules')) continue;
    mkdirSync(dirname(join(modules, inModules)), { recursive: true });
    symlinkSync(path, join(modules, inModules));
  }
  return join(modules, name, 'dist/cli/main.js');
}

test('the package holds what runs and is read, and nothing that only builds or tests it', async (t) => {
  const { files } = await pack();
  const unneeded = files.filter(
    (file) =>
      /(^|\/)(src|test|bench|demo|scripts|node_modules)\//.test(file) || /(?<!\.d)\.(ts|tsx|map)$/.test(file),
  );
  t.deepEqual(unneeded, []);
  const pages = files.filter((file) => file.endsWith('.md'));
  t.true(pages.includes('README.md') && pages.includes('docs/protect-a-form.md'));
  for (const file of ['LICENSE', 'NOTICE', 'gatekeeper.example.yaml', 'config/gatekeeper.schema.json'])
    t.true(files.includes(file), file);
  // The command line starts from the bundle, not from a thousand modules.
  for (const entry of [
    'cli/main.js',
    'cli/config-worker.js',
    'workers/worker-main.js',
    'storage/engine/reader/reader-worker.js',
    'signup-file/file-worker.js',
  ]) {
    const [, bundle = ''] =
      /^import '(?:\.\.\/)+(program\/\S+)';$/m.exec(readFileSync(join(project, 'dist', entry), 'utf8')) ?? [];
    t.true(files.includes(`dist/${bundle}`), entry);
  }
});

test('the README names the tarball that npm pack writes', (t) => {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  t.deepEqual(
    [...readme.matchAll(/--package \.\/(\S+)/g)].map(([, tarball]) => tarball),
    [`${name}-${version}.tgz`],
  );
});

test('the package serves, scores and shows its pages with its production dependencies alone', async (t) => {
  const folder = temporaryFolder(t);
  const program = await install(await pack(), folder);
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    `api: {listen: 0}
dashboard: {listen: 0}
proxy: {listen: 0, upstream: "127.0.0.1:9", routes: [{path: /signup, mode: monitor}]}
scoring: {dns: {enabled: false}}
`,
  );
  const gatekeeper = (...args: readonly string[]) =>
    run(process.execPath, [program, ...args], { cwd: folder });
  t.is((await gatekeeper('--version')).stdout, `${version}\n`);
  await t.notThrowsAsync(gatekeeper('check'));
  const { stdout } = await gatekeeper('score', '--email', 'a@mailinator.com', '--ip', '2.125.160.216');
  t.regex(stdout, /disposable_email/);
  t.regex(stdout, /residential_ip/);
  const key = (await gatekeeper('keys', 'create', '--name', 'first')).stdout.trim();

  const urls = await serve(t, program, folder);
  const scored = await fetch(`${urls.api}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"email": "jane.doe@gmail.com", "ip_address": "2.125.160.216"}',
  });
  t.is(scored.status, 200);
  t.is((await fetch(`${urls.api}/docs`)).status, 200);
  const page = await fetch(`${urls.dashboard}/sign-in`);
  t.is(page.status, 200);
  const assets = [...(await page.text()).matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg)[^"]*)"/g)];
  t.true(assets.length > 0);
  for (const [, path = ''] of assets) t.is((await fetch(new URL(path, urls.dashboard))).status, 200, path);
});

async function serve(t: ExecutionContext, program: string, folder: string) {
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await until(() => /The dashboard is at \S+\n/.test(output) || child.exitCode !== null);
  const url = (said: string) => new RegExp(`${said} (\\S+)`).exec(output)?.[1] ?? '';
  return { api: url('Gatekeeper listens on'), dashboard: url('The dashboard is at') };
}
