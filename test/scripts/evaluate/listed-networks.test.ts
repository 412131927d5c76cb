import { tmpdir } from 'node:os';
import test from 'ava';
import { createListedNetworkTest } from '../../../scripts/evaluate/listed-networks.ts';
import { type IpAddress, parseIpAddress } from '../../../src/addresses/ip-address.ts';
import { openDatasets } from '../../../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../../helpers/built-datasets.ts';

const datasets = await openDatasets({
  ...{ folder: builtDatasetsFolder, feedsFolder: tmpdir(), config: plainDatasetsConfig, clock: Date.now },
});
test.after.always(() => datasets.close());

function addressOf(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (!address) throw new Error(`${text} is not an address`);
  return address;
}

test('an address is on the list when the network that announces it is', (t) => {
  const isListed = createListedNetworkTest(datasets.current.network, ['AS24940', 'as13335']);
  // Hetzner and Cloudflare, then Comcast, then an address that no network announces.
  t.true(isListed(addressOf('88.198.0.1')));
  t.true(isListed(addressOf('2a01:4f8::1')));
  t.true(isListed(addressOf('1.1.1.1')));
  t.false(isListed(addressOf('73.63.0.10')));
  t.false(isListed(addressOf('192.0.2.1')));
});

test('a line of the list that is no number of a network is named', (t) => {
  for (const line of ['24940', 'AS', 'AS0', 'ASX', '<html>']) {
    t.throws(() => createListedNetworkTest(datasets.current.network, ['AS24940', line]), {
      message: `hosting-asns.txt has a line that is not the number of a network: ${line}`,
    });
  }
});
