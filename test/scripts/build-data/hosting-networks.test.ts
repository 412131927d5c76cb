import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readHostingNetworks } from '../../../scripts/build-data/hosting-networks.ts';
import { KNOWN_NETWORKS } from '../../../src/datasets/networks/known-networks.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function fileOf(t: ExecutionContext, text: string): string {
  const file = join(temporaryFolder(t), 'hosting-networks.tsv');
  writeFileSync(file, text);
  return file;
}

test('each line begins with a number; comments and empty lines are none', (t) => {
  const file = fileOf(t, '# a comment\n15830\t5.2\t562\tEquinix\n\n396356\t4.5\t536\tLatitude.sh\n');
  t.deepEqual([...readHostingNetworks(file)], [15_830, 396_356]);
});

test('a line of another form is reported with its place', (t) => {
  const file = fileOf(t, '15830\t5.2\t562\tEquinix\nEquinix\n');
  t.throws(() => readHostingNetworks(file), { message: /hosting-networks\.tsv:2 / });
});

test('the list of the project names no network whose use is known', (t) => {
  t.deepEqual(
    [...readHostingNetworks()].filter((asn) => KNOWN_NETWORKS.has(asn)),
    [],
  );
});
