import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { parseCidr } from '../../../src/addresses/ip-address.ts';
import type { Examination } from '../../../src/assessment/processor.ts';
import { createIpRangesBuilder } from '../../../src/datasets/ip-ranges.ts';
import { openDatasets } from '../../../src/datasets/open-datasets.ts';
import { createNetworkProcessor } from '../../../src/processors/network/network-processor.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../../helpers/built-datasets.ts';
import { attemptFrom } from '../../helpers/network-attempts.ts';
import { sharedLines } from '../../helpers/shared-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-network-'));
test.after.always(() => rmSync(folder, { recursive: true }));
const opened = openDatasets({
  folder: builtDatasetsFolder,
  feedsFolder: folder,
  config: plainDatasetsConfig,
  clock: () => 0,
});

const tor = sharedLines('tor-exits.txt');
const cloud = sharedLines('cloud-ranges.txt');

test('every exit of Tor is found when the list is loaded', async (t) => {
  const store = await opened;
  const builder = createIpRangesBuilder();
  const addresses = tor.content.filter((line) => builder.add(line));
  t.true(tor.isSample || addresses.length > 1_000);
  const network = { ...store.current.network, tor: builder.build() };
  const processor = createNetworkProcessor({ datasets: { current: { ...store.current, network } } });
  const missed = addresses.filter((address) => {
    const { findings } = processor.examine(attemptFrom(address)) as Examination;
    return findings.length !== 1 || findings[0]?.code !== 'tor_ip';
  });
  t.deepEqual(missed, []);
});

test('nine of ten networks of cloud providers are flagged or exits of relays without feeds', async (t) => {
  const store = await opened;
  const processor = createNetworkProcessor({ datasets: store });
  const networks = cloud.content.flatMap((line) => parseCidr(line)?.network.text ?? []);
  const flagged = networks.filter((address) => {
    const { classification, findings } = processor.examine(attemptFrom(address)) as Examination;
    return findings.length > 0 || classification === 'relay_ip';
  });
  t.log(`${((100 * flagged.length) / networks.length).toFixed(1)} % of ${networks.length}`);
  t.true(flagged.length >= 0.9 * networks.length);
});

test('addresses of homes, phones and universities around the world are of low risk', async (t) => {
  const store = await opened;
  const processor = createNetworkProcessor({ datasets: store });
  const people = {
    residential_ip: [
      '73.0.0.1',
      '68.4.0.1',
      '87.128.0.1',
      '90.0.0.1',
      '81.128.0.1',
      '2001:16b8::1',
      '2003::1',
      '126.0.0.1',
      '118.240.0.1',
      '181.0.0.1',
    ],
    mobile_ip: ['172.56.0.1', '49.32.0.1'],
    education_ip: ['18.0.0.1', '129.187.0.1', '131.111.0.1'],
  };
  for (const [classification, addresses] of Object.entries(people)) {
    for (const address of addresses) {
      const examination = processor.examine(attemptFrom(address)) as Examination;
      t.deepEqual(
        [examination.classification, examination.findings.length],
        [classification, 0],
        `${address} ${examination.evidence}`,
      );
    }
  }
});
