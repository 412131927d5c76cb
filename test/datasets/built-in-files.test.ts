import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readBuiltInFiles } from '../../src/datasets/built-in-files.ts';
import { loadEmailDatasets } from '../../src/datasets/email-datasets.ts';
import { builtDatasetsFolder } from '../helpers/built-datasets.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('every file of the manifest is read and proven', async (t) => {
  const files = await readBuiltInFiles(builtDatasetsFolder);
  for (const file of files.manifest.sets.flatMap((set) => set.files)) {
    t.true(files.read(file.name, (content) => content.byteLength) > 0, file.name);
  }
  t.true(files.entriesOf('disposable') > 30_000);
});

const damages: [what: string, damage: (folder: string) => void, message: RegExp][] = [
  ['no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /manifest\.json.*cannot be read/],
  ['half a manifest', (folder) => truncateSync(join(folder, 'manifest.json'), 100), /manifest\.json/],
  ['an older manifest', (folder) => rewrite(folder, '"format": 1', '"format": 0'), /its format is not 1/],
  ['a manifest without sets', (folder) => rewrite(folder, '"sets"', '"others"'), /its sets are damaged/],
  [
    'a path in the manifest',
    (folder) => rewrite(folder, 'roles.txt', '../roles.txt'),
    /its sets are damaged/,
  ],
  ['a missing file', (folder) => rmSync(join(folder, 'relays.domains')), /relays\.domains.*cannot be read/],
  ['a cut file', (folder) => truncateSync(join(folder, 'roles.txt'), 10), /roles\.txt.*checksum is wrong/],
];

for (const [what, damage, message] of damages) {
  test(`${what} is refused with the name of the file and the remedy`, async (t) => {
    const folder = temporaryFolder(t);
    cpSync(builtDatasetsFolder, folder, { recursive: true });
    damage(folder);
    const error = await t.throwsAsync(readBuiltInFiles(folder), { message });
    t.regex(error.message, /npm run build/);
  });
}

test('a folder that holds nothing is refused', async (t) => {
  await t.throwsAsync(readBuiltInFiles(temporaryFolder(t)), {
    message: /manifest\.json is missing or damaged/,
  });
});

test('a file that the manifest does not name, or of another version, is refused', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(builtDatasetsFolder, folder, { recursive: true });
  rewrite(folder, 'relays.domains', 'others.domains');
  cpSync(join(folder, 'relays.domains'), join(folder, 'others.domains'));
  const files = await readBuiltInFiles(folder);
  t.throws(() => loadEmailDatasets(files), { message: /does not name relays\.domains/ });
  const outdated = () => {
    throw new Error('is of another version');
  };
  t.throws(() => files.read('roles.txt', outdated), { message: /roles\.txt .* it is of another version/ });
});

function rewrite(folder: string, from: string, to: string): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
}
