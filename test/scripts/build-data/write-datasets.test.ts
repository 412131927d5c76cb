import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { domainSet, textSet } from '../../../scripts/build-data/built-set.ts';
import { writeDatasets } from '../../../scripts/build-data/write-datasets.ts';
import { readBuiltInFiles } from '../../../src/datasets/built-in-files.ts';
import { createDomainSet } from '../../../src/datasets/domain-set.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const source = { name: 'list', version: '1.2.3', licence: 'MIT', count: 3 };
const other = { ...source, name: 'other', licence: 'CC0-1.0' };
const baseline = {
  list: { version: '1.2.3', date: '2026-01-01', count: 3 },
  other: { version: '1.2.3', date: '2026-02-02', count: 3 },
};
const sets = () => [
  domainSet('burners', ['a.com', 'b.com'], [source, other]),
  textSet('roles', ['info'], [source]),
];

test('what is written is read again, with sources, licences and the newest date', async (t) => {
  const folder = join(temporaryFolder(t), 'datasets');
  writeDatasets(folder, sets(), baseline);
  const files = await readBuiltInFiles(folder);
  t.like(files.manifest.sets[0], {
    name: 'burners',
    source: 'list 1.2.3, other 1.2.3',
    licence: 'MIT, CC0-1.0',
    date: '2026-02-02',
    entries: 2,
  });
  const burners = files.read('burners.domains', (content) => createDomainSet(new Uint32Array(content), 2));
  t.deepEqual(['a.com', 'b.com', 'c.com'].map(burners.has), [true, true, false]);
});

test('the same sets give the same bytes', (t) => {
  const [first, second] = [temporaryFolder(t), temporaryFolder(t)];
  writeDatasets(first, sets(), baseline);
  writeDatasets(second, sets(), baseline);
  for (const name of readdirSync(first)) {
    t.deepEqual(readFileSync(join(first, name)), readFileSync(join(second, name)), name);
  }
});

test('the order of the names does not change the bytes', (t) => {
  const names = Array.from({ length: 500 }, (_, i) => `name-${i}.example`);
  t.deepEqual(domainSet('x', names.toReversed(), [source]).files, domainSet('x', names, [source]).files);
});

test('files of sets that are no longer made are taken away', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'old.domains'), '');
  writeDatasets(folder, sets(), baseline);
  t.deepEqual(readdirSync(folder).sort(), ['burners.domains', 'manifest.json', 'roles.txt']);
});
