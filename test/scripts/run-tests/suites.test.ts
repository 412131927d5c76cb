import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { isProof, listTestFiles, type Suite, suiteOf } from '../../../scripts/run-tests/suites.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = listTestFiles(root);
const core = files.filter((file) => suiteOf(file) === 'core');
const read = (file: string) => readFileSync(root + file, 'utf8');

test('a test file belongs to the command that its name says', (t) => {
  const places: Readonly<Record<string, Suite>> = {
    'test/http/listener.test.ts': 'core',
    'test/dashboard/page.test.tsx': 'core',
    'test/http/lag.full.test.ts': 'full',
    'test/gate/pages/block-page.browser.test.ts': 'full',
    'test/end-to-end/gate.test.ts': 'full',
    'test/end-to-end/framing.core.test.ts': 'core',
    'test/end-to-end/new/login.test.ts': 'full',
    'test/end-to-end/outage.long.test.ts': 'long',
    'test/storage/races.long.test.ts': 'long',
    'test/fullness.test.ts': 'core',
  };
  for (const [file, suite] of Object.entries(places)) t.is(suiteOf(file), suite, file);
});

test('every file that defines a test is run by one of the three commands', (t) => {
  const alike = ['src', 'test', 'scripts', 'bench', 'demo'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(tests?|spec)\.[cm]?tsx?$/.test(name)),
  );
  t.deepEqual(alike.sort(), files);
  t.deepEqual([...new Set(files.map(suiteOf))].sort(), ['core', 'full', 'long']);
});

test('`npm run prove` runs kills, faults and reloads again, and core suites only for their full counts', (t) => {
  const proofs = files.filter(isProof);
  for (const part of ['end-to-end/kill/kill.', 'end-to-end/reload.', 'durability.full', 'faults.long']) {
    t.true(
      proofs.some((file) => file.includes(part)),
      part,
    );
  }
  t.deepEqual(
    proofs.filter((file) => suiteOf(file) === 'core'),
    core.filter((file) => /^import .*helpers\/full-proof\.ts';$/m.test(read(file))),
  );
});

test('`npm run prove` runs every full or long suite that has full counts for it', (t) => {
  const counted = files
    .filter((file) => suiteOf(file) !== 'core')
    .filter((file) => read(file).includes('helpers/full-proof.ts'));
  t.true(counted.length > 5);
  t.deepEqual(
    counted.filter((file) => !isProof(file)),
    [],
  );
});

test('`npm test` drives no browser and compares no durations', (t) => {
  const forbidden = /helpers\/browser|playwright|monitorEventLoopDelay|eventLoopUtilization/;
  // This file names what it looks for.
  const broken = core.filter((file) => !file.endsWith('/suites.test.ts') && forbidden.test(read(file)));
  t.deepEqual(broken, [], 'name it *.browser.test.ts or *.full.test.ts');
});
