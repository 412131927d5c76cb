import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

const YARDSTICKS = new URL('../../bench/yardsticks/', import.meta.url);
const SOURCES = new URL('../../src/', import.meta.url);
const IMPORT = /import \{([^}]+)\} from '\.\.\/\.\.\/dist\/([\w/-]+)\.js'/g;

// They are plain JavaScript, so the compiler does not see them.
test('the sources export what the yardsticks import from the build', (t) => {
  let imported = 0;
  for (const file of readdirSync(YARDSTICKS)) {
    for (const [, names = '', module] of readFileSync(new URL(file, YARDSTICKS), 'utf8').matchAll(IMPORT)) {
      const source = readFileSync(new URL(`${module}.ts`, SOURCES), 'utf8');
      for (const name of names.split(',').map((one) => one.trim())) {
        t.regex(source, new RegExp(`^export (?:const|function|async function|class) ${name}\\b`, 'm'));
        imported++;
      }
    }
  }
  t.true(imported > 5);
});
