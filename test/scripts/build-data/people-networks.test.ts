import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readHostingNetworks } from '../../../scripts/build-data/hosting-networks.ts';
import { readPeopleNetworks } from '../../../scripts/build-data/people-networks.ts';
import { KNOWN_NETWORKS } from '../../../src/datasets/networks/known-networks.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function fileOf(t: ExecutionContext, text: string): string {
  const file = join(temporaryFolder(t), 'people-networks.tsv');
  writeFileSync(file, text);
  return file;
}

test('each line begins with a number and a use; comments and empty lines are none', (t) => {
  const file = fileOf(t, '# a comment\n6621\taccess\t5.2\t562\tHughes\n\n521\tbusiness\t4.5\t5\tFord\n');
  t.deepEqual(
    [...readPeopleNetworks(file)],
    [
      [6621, 'access'],
      [521, 'business'],
    ],
  );
});

test('a line of another form or another use is reported with its place', (t) => {
  for (const line of ['Hughes', '6621\thosting\t5.2\t5\tX', '6621\taccess']) {
    const file = fileOf(t, `521\tbusiness\t4.5\t5\tFord\n${line}\n`);
    t.throws(() => readPeopleNetworks(file), { message: /people-networks\.tsv:2 / }, line);
  }
});

test('the list of the project names no network whose use is known or found to be hosting', (t) => {
  const hosting = readHostingNetworks();
  t.deepEqual(
    [...readPeopleNetworks().keys()].filter((asn) => KNOWN_NETWORKS.has(asn) || hosting.has(asn)),
    [],
  );
});
