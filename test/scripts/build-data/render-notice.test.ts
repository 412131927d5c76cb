import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { NOTICED_SOURCES, renderNotice } from '../../../scripts/build-data/render-notice.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const baseline = JSON.parse(readFileSync(join(root, 'config/datasets-baseline.json'), 'utf8')) as object;
const { name: ownName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };

test('NOTICE is up to date; else run `npx tsx scripts/write-notice.ts`', (t) => {
  t.is(readFileSync(join(root, 'NOTICE'), 'utf8'), renderNotice(root));
});

test('every source of a data set is attributed', (t) => {
  const sources = Object.keys(baseline).filter((name) => name !== ownName);
  t.deepEqual([...NOTICED_SOURCES].sort(), sources.sort());
});

test('no runtime package has a licence that binds its users, or no licence', (t) => {
  const packages = renderNotice(root).split('Runtime packages')[1] ?? '';
  t.regex(packages, /^koa MIT$/m);
  t.notRegex(packages, /GPL|UNKNOWN|SSPL|BUSL/);
});
