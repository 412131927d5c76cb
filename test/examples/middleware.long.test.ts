import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { CHROME } from '../library/library-server.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = join(ROOT, 'examples/middleware');

/** A project that has installed the packed tarball; its dependencies are those of the checkout. */
const project = mkdtempSync(join(tmpdir(), 'gatekeeper-packed-'));
const MODULES = join(project, 'node_modules');

test.before(async () => {
  mkdirSync(join(MODULES, 'signup-gatekeeper'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(MODULES, name));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: packageRoot() });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const into = ['-xzf', join(project, filename), '-C', join(MODULES, 'signup-gatekeeper')];
  await run('tar', [...into, '--strip-components=1']);
  writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
  cpSync(EXAMPLES, project, { recursive: true });
});
test.after.always(() => rmSync(project, { recursive: true, force: true }));

/** `npm test` compiles into a folder of its own; what was built is in the checkout. */
function packageRoot(): string {
  const [checkout = ROOT] = ROOT.split('/compiled/');
  return checkout;
}

async function startExample(t: ExecutionContext, file: string): Promise<string> {
  const app = spawn(process.execPath, [join(project, file)], {
    cwd: temporaryFolder(t),
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  app.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(app, 'exit');
  t.teardown(async () => {
    app.kill('SIGKILL');
    await ended;
  });
  await until(() => output.includes('Listening on ') || app.exitCode !== null);
  t.is(app.exitCode, null, output);
  return /Listening on (\S+)/.exec(output)?.[1] ?? '';
}

for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.js')))
  test(`from the packed package, ${file} lets an ordinary signup in and refuses a throwaway address`, async (t) => {
    const url = await startExample(t, file);
    const post = (body: string, type: string) =>
      fetch(`${url}/signup`, { method: 'POST', headers: { ...CHROME, 'content-type': type }, body });
    const json = await post('{"email": "jane.doe@gmail.com"}', 'application/json');
    t.is(json.status, 201);
    t.like(await json.json(), { email: 'jane.doe@gmail.com' });
    const form = await post('email=john.doe%40gmail.com', 'application/x-www-form-urlencoded');
    t.is(form.status, 201);
    t.like(await form.json(), { email: 'john.doe@gmail.com' });
    t.is((await post('{"email": "x@mailinator.com"}', 'application/json')).status, 403);
    t.is((await post('email=x%40mailinator.com', 'application/x-www-form-urlencoded')).status, 403);
  });

test('the ten lines of docs/library.md are those of the Express example', (t) => {
  const page = readFileSync(join(packageRoot(), 'docs/library.md'), 'utf8');
  const [, lines = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  t.true(lines.length > 0);
  t.true(readFileSync(join(EXAMPLES, 'express.js'), 'utf8').includes(lines));
});

test('docs/library.md describes every option of the middleware', (t) => {
  const page = readFileSync(join(packageRoot(), 'docs/library.md'), 'utf8');
  const options = readFileSync(join(packageRoot(), 'src/library/middleware-options.ts'), 'utf8');
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name);
  t.is(names.length, 13);
  for (const name of names) t.regex(page, new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm'), name);
});

test('from the packed package, CommonJS can require the library', async (t) => {
  const program = `const { createGatekeeper } = require('signup-gatekeeper');
    for (const name of ['express', 'fastify', 'hono', 'http', 'koa'])
      console.log(typeof require('signup-gatekeeper/' + name).judgeSignup);
    console.log(typeof createGatekeeper)`;
  writeFileSync(join(project, 'required.cjs'), program);
  const options = { cwd: project, env: { ...process.env, NODE_NO_WARNINGS: '1' } };
  const { stdout } = await run(process.execPath, [join(project, 'required.cjs')], options);
  t.is(stdout, 'function\n'.repeat(6));
});

for (const [moduleKind, resolution] of [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const)
  test(`from the packed package, the types work with moduleResolution ${resolution}`, async (t) => {
    const text = readFileSync(join(packageRoot(), 'test/library/public-types.ts'), 'utf8')
      .replace(`'../../src/library/create-gatekeeper.ts'`, `'signup-gatekeeper'`)
      .replace(/'\.\.\/\.\.\/src\/library\/(\w+)\.ts'/g, `'signup-gatekeeper/$1'`);
    t.notRegex(text, /src\/library/);
    const file = join(project, `types-${resolution}.ts`);
    writeFileSync(file, text);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--esModuleInterop', '--target', 'es2022'];
    const kinds = ['--module', moduleKind, '--moduleResolution', resolution, '--types', 'node'];
    await t.notThrowsAsync(
      run(process.execPath, [tsc, ...options, ...kinds, file], { cwd: project }).catch(
        (error: { readonly stdout: string }) => {
          throw new Error(error.stdout);
        },
      ),
    );
  });
