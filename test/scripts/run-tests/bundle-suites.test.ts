import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';
import { transformSync } from 'esbuild';
import { bundleSuites } from '../../../scripts/run-tests/bundle-suites.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const LIMITED_TEST = fileURLToPath(
  new URL(`../../../scripts/run-tests/limited-test${extension}`, import.meta.url),
);

test('bundled suites share one copy of a module, which still knows its own place', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'test/deep'), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('package.json', '{"type": "module"}');
  // In parts, because this file is bundled too, and the bundle replaces the expression.
  const ownUrl = ['import', 'meta', 'url'].join('.');
  write('src/place.js', `export const place = ${ownUrl};\nconsole.log("loaded");\n`);
  for (const name of ['test/a.test.js', 'test/deep/b.test.js']) {
    const up = '../'.repeat(name.split('/').length - 1);
    write(name, `import { place } from '${up}src/place.js';\nconsole.log(place);\n`);
  }
  write('both.js', "import './test/a.test.js';\nimport './test/deep/b.test.js';\n");
  await bundleSuites(folder, ['test/a.test.js', 'test/deep/b.test.js'], join(folder, 'unused.js'));
  // Nothing of the sources is read any more.
  write('src/place.js', 'throw new Error("loaded from its source");\n');
  const place = pathToFileURL(join(folder, 'src/place.js')).href;
  t.is(
    execFileSync(process.execPath, ['both.js'], { cwd: folder, encoding: 'utf8' }),
    `loaded\n${place}\n${place}\n`,
  );
});

test('of a hundred bundled tests a few run at a time, and all of them run', async (t) => {
  const folder = temporaryFolder(t);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('package.json', '{"type": "module"}');
  mkdirSync(join(folder, 'node_modules/ava'), { recursive: true });
  write('node_modules/ava/package.json', '{"type": "module", "exports": "./index.js"}');
  // As AVA does, it starts all tests at once.
  write(
    'node_modules/ava/index.js',
    'export default Object.assign((title, run) => run(title), {serial: "as it was"});\n',
  );
  write('limited.js', transformSync(readFileSync(LIMITED_TEST, 'utf8'), { loader: 'ts' }).code);
  write(
    'a.test.js',
    `import test from 'ava';
let [now, most, done] = [0, 0, 0];
for (let i = 0; i < 100; i++) test('t' + i, async (title) => {
  most = Math.max(most, ++now);
  await new Promise(setImmediate);
  now--;
  if (title === 't' + i) done++;
  if (title === 't50') throw new Error('of one test');
})?.catch(() => {});
process.on('exit', () => console.log(test.serial, most, done));
`,
  );
  await bundleSuites(folder, ['a.test.js'], join(folder, 'limited.js'));
  t.is(execFileSync(process.execPath, ['a.test.js'], { cwd: folder, encoding: 'utf8' }), 'as it was 4 100\n');
});

test('suites of one process may await their data: AVA gets all their tests in one tick', async (t) => {
  const folder = temporaryFolder(t);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('package.json', '{"type": "module"}');
  mkdirSync(join(folder, 'node_modules/ava'), { recursive: true });
  mkdirSync(join(folder, 'test/shared'), { recursive: true });
  write('node_modules/ava/package.json', '{"type": "module", "exports": "./index.js"}');
  // As AVA does, it accepts no test after the tick of the first one.
  write(
    'node_modules/ava/index.js',
    `const titles = [];
let isStarted = false;
const declare = (title) => {
  if (isStarted) throw new Error('too late: ' + title);
  if (titles.length === 0) process.nextTick(() => { isStarted = true; console.log(titles.join()); });
  titles.push(title);
};
export default Object.assign(declare, {
  meta: { file: 'file:///test/shared/both.test.js' },
  after: Object.assign(declare, { always: declare }),
});
`,
  );
  write('limited.js', transformSync(readFileSync(LIMITED_TEST, 'utf8'), { loader: 'ts' }).code);
  write('test/a.test.js', "import test from 'ava';\ntest('a');\ntest.after.always('hook');\n");
  write(
    'test/b.test.js',
    "import test from 'ava';\nconst b = await new Promise((resolve) => setImmediate(resolve, 'b'));\ntest(b);\n",
  );
  write(
    'test/shared/both.test.js',
    "import '../a.test.js';\nimport '../b.test.js';\nimport { declareCollected } from '../../limited.js';\ndeclareCollected();\n",
  );
  await bundleSuites(folder, ['test/shared/both.test.js'], join(folder, 'limited.js'));
  t.is(
    execFileSync(process.execPath, ['test/shared/both.test.js'], { cwd: folder, encoding: 'utf8' }),
    'a,hook,b\n',
  );
});
