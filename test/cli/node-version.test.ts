import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Runs a file of the project, copied to a package that needs the given Node. */
function runIn(t: ExecutionContext, needed: string, files: readonly string[]) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node: needed } }));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const entry = join(folder, files[0] ?? '');
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const loader = entry.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
    execFile(process.execPath, [...loader, entry], (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

/** Where the program is bundled: the file that starts it, and those that this one needs before its first line runs. */
function bundledStart(): readonly string[] {
  const main = 'src/program/main.js';
  const needed = [...readFileSync(join(root, main), 'utf8').matchAll(/^import .*"\.\/(\S+)";$/gm)];
  return ['src/cli/main.js', main, ...needed.map(([, file]) => `src/program/${file}`)];
}

const entries: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['the program', extension === 'ts' ? ['src/cli/main.ts', 'src/cli/node-version.ts'] : bundledStart()],
  ['npm start, npm run demo and npm test', ['scripts/check-node.js']],
];
for (const [name, files] of entries) {
  test(`${name}: a Node that is too old is named in one sentence, before anything else loads`, async (t) => {
    t.deepEqual(await runIn(t, '>=99.1', files), {
      code: 1,
      stderr: `Gatekeeper needs Node 99.1 or newer. This is Node ${process.versions.node}. Install a newer version from https://nodejs.org\n`,
    });
  });
}

test('a Node that is new enough passes', async (t) => {
  t.deepEqual(await runIn(t, '>=18.0', ['scripts/check-node.js']), { code: 0, stderr: '' });
});
