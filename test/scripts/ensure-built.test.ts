import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/ensure-built.js', import.meta.url));
const SOURCE = 'src/gate/gate.ts';
const BUILT = 'dist/cli/main.js';

/** A checkout whose build leaves a file. Files have the given times, in seconds since 1970. */
function runIn(t: ExecutionContext, files: Readonly<Record<string, number>>): { readonly isBuilt: boolean } {
  const root = temporaryFolder(t);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, time] of Object.entries(files)) {
    write(path, '');
    utimesSync(join(root, path), time, time);
  }
  write(
    'package.json',
    '{"type": "module", "scripts": {"build": "node -e \\"fs.writeFileSync(\'made\', \'\')\\""}}',
  );
  mkdirSync(join(root, 'scripts'));
  copyFileSync(SCRIPT, join(root, 'scripts/ensure-built.js'));
  execFileSync(process.execPath, [join(root, 'scripts/ensure-built.js')], { stdio: 'pipe' });
  return { isBuilt: existsSync(join(root, 'made')) };
}

const CHECKOUT = { 'data/tables/a.json': 100, 'datasets/b.bin': 100, [SOURCE]: 100 };

test('npm start builds a checkout that was not built yet, or whose sources are newer', (t) => {
  t.true(runIn(t, CHECKOUT).isBuilt);
  t.true(runIn(t, { ...CHECKOUT, [BUILT]: 99 }).isBuilt);
  t.true(runIn(t, { ...CHECKOUT, [BUILT]: 150, 'data/tables/a.json': 200 }).isBuilt);
});

test('npm start builds nothing when the build is newer, or in an installed package', (t) => {
  t.false(runIn(t, { ...CHECKOUT, [BUILT]: 101 }).isBuilt);
  t.false(runIn(t, { [BUILT]: 1, 'datasets/b.bin': 1 }).isBuilt);
});
