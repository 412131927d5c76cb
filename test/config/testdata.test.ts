import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { readTextFile } from '../../src/config/read-text-file.ts';
import { knownNames } from './known-names.ts';

const folderOf = (kind: string) => fileURLToPath(new URL(`./testdata/${kind}/`, import.meta.url));

function namesIn(kind: string): readonly string[] {
  return readdirSync(folderOf(kind))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length));
}

function load(kind: string, name: string) {
  return loadConfig({
    file: `${name}.yaml`,
    folder: folderOf(kind),
    env: { FROM_ENV: 'hunter2' },
    knownNames,
    // How the repository was checked out must not matter here.
    readFile: (path) => ({ ...readTextFile(path), openToOthers: false }),
  });
}

for (const name of namesIn('bad')) {
  test(`testdata/bad/${name}.yaml is refused with exactly the issues in ${name}.txt`, (t) => {
    const error = t.throws(() => load('bad', name), { instanceOf: ConfigError });
    t.is(`${error.message}\n`, readFileSync(`${folderOf('bad')}${name}.txt`, 'utf8'));
    t.false(error.message.includes('hunter2'), 'a secret is repeated');
    t.is(({} as Record<string, unknown>).polluted, undefined);
  });
}

for (const name of namesIn('good')) {
  test(`testdata/good/${name}.yaml is accepted, with the warnings in ${name}.txt if there are any`, (t) => {
    const { warnings } = load('good', name);
    const files = readdirSync(folderOf('good'));
    const expected = files.includes(`${name}.txt`)
      ? readFileSync(`${folderOf('good')}${name}.txt`, 'utf8')
      : '';
    t.is(warnings.map((warning) => `${warning}\n`).join(''), expected);
  });
}
