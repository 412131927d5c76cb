import { readFileSync } from 'node:fs';
import test from 'ava';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { knownNames } from '../config/known-names.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the built-in data knows the network of every address in the examples of the README', async (t) => {
  const store = await openDatasets({
    ...{ folder: builtDatasetsFolder, feedsFolder: temporaryFolder(t) },
    ...{ config: plainDatasetsConfig, clock: () => 0 },
  });
  t.teardown(() => store.close());
  const addresses = [...read('README.md').matchAll(/(?:--ip |"ip_address":")([\d.]+)/g)].map(
    ([, ip = '']) => ip,
  );
  t.is(addresses.length, 2);
  for (const address of addresses) {
    const ip = parseIpAddress(address);
    t.truthy(ip && store.current.network.locate(ip).networkClass, address);
  }
});

for (const page of ['README.md', 'docs/data-sources.md', 'gatekeeper.example.yaml']) {
  test(`the feeds in the YAML of ${page} are accepted`, (t) => {
    const text = read(page);
    const blocks = page.endsWith('.yaml')
      ? [text]
      : [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml);
    const withFeeds = blocks.filter((yaml) => yaml?.includes('feeds:'));
    t.true(withFeeds.length > 0);
    for (const yaml of withFeeds)
      t.notThrows(() => loadConfig({ file: null, text: yaml ?? '', env: {}, knownNames }), yaml);
  });
}
