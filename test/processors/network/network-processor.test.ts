import test, { type ExecutionContext } from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import { scoreFactors } from '../../../src/assessment/score.ts';
import type { CurrentDatasets, NetworkClass, NetworkDatasets } from '../../../src/datasets/datasets.ts';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { createNetworkProcessor } from '../../../src/processors/network/network-processor.ts';
import { startDnsServer, type Zone } from '../../helpers/dns-server.ts';
import { DEFAULT_POLICY, examinations } from '../../helpers/examinations.ts';
import { attemptFrom, type ListName, networkDatasets } from '../../helpers/network-attempts.ts';

const HETZNER = { asn: 24_940, organisation: 'Hetzner Online GmbH', country: 'DE' };
const ADDRESS = '88.198.0.1';

function examine(datasets: CurrentDatasets, address = ADDRESS): Examination {
  const answer = createNetworkProcessor({ datasets }).examine(attemptFrom(address));
  if (answer instanceof Promise) throw new Error('it waited');
  return answer;
}

/** Score and level of the factor under the default policy. */
function factorOf(examination: Examination) {
  const score = scoreFactors(examinations({ ip_address: examination }), [], DEFAULT_POLICY);
  const factor = score.factors.find(({ factor }) => factor === 'ip_address');
  return { score: factor?.score ?? -1, riskLevel: factor?.riskLevel };
}

const codes = ({ findings }: Examination) => findings.map(({ code }) => code);
const on = (...lists: readonly ListName[]) =>
  Object.fromEntries(lists.map((list) => [list, ['88.198.0.0/16']]));

test('each class of network has its classification', (t) => {
  const expected: Readonly<Record<NetworkClass, string>> = {
    access: 'residential_ip',
    mobile: 'mobile_ip',
    business: 'business_ip',
    education: 'education_ip',
    relay: 'relay_ip',
    hosting: 'business_ip',
    vpn: 'business_ip',
  };
  for (const [networkClass, classification] of Object.entries(expected)) {
    const datasets = networkDatasets({ networkClass: networkClass as NetworkClass });
    t.is(examine(datasets).classification, classification as Examination['classification'], networkClass);
  }
  t.is(examine(networkDatasets({})).classification, 'unclassified_ip');
});

test('a clean address of any class is of low risk', (t) => {
  for (const networkClass of ['access', 'mobile', 'business', 'education', 'relay', null] as const) {
    const examination = examine(networkDatasets({ networkClass }));
    t.deepEqual(examination.findings, []);
    t.is(factorOf(examination).riskLevel, 'low', networkClass ?? 'unknown');
  }
});

test('the evidence is number, organisation and country, as far as they are known', (t) => {
  const cases = [
    [HETZNER, 'AS24940 Hetzner Online GmbH, DE'],
    [{ ...HETZNER, country: null }, 'AS24940 Hetzner Online GmbH'],
    [{ ...HETZNER, organisation: null }, 'AS24940, DE'],
    [{ country: 'DE' }, 'DE'],
    [{ organisation: 'Example', country: 'DE' }, 'Example, DE'],
    [{}, null],
  ] as const;
  for (const [facts, evidence] of cases) t.is(examine(networkDatasets(facts)).evidence, evidence);
  const long = examine(networkDatasets({ ...HETZNER, organisation: 'x'.repeat(1_000) }));
  t.true((long.evidence?.length ?? 0) <= 200);
  t.true((long.fields?.organisation?.length ?? 0) <= 160);
});

test('the fields are those of number, organisation and country that are known, for findings too', (t) => {
  const known = { asn: 24940, organisation: 'Hetzner Online GmbH', country: 'DE' };
  const hosted = examine(networkDatasets({ ...HETZNER, networkClass: 'hosting' }));
  t.deepEqual(hosted.fields, known);
  t.is(hosted.findings[0]?.fields, hosted.fields);
  t.deepEqual(examine(networkDatasets({ country: 'DE' })).fields, { country: 'DE' });
  t.deepEqual(examine(networkDatasets({})).fields, {});
});

test('special addresses are looked up nowhere', (t) => {
  const network = new Proxy({} as NetworkDatasets, {
    get: (_, name) => {
      throw new Error(`${String(name)} was asked`);
    },
  });
  const datasets = { current: { network } as CurrentDatasets['current'] };
  const cases = [
    ['10.1.2.3', 'private_ip'],
    ['127.0.0.1', 'private_ip'],
    ['169.254.169.254', 'private_ip'],
    ['::1', 'private_ip'],
    ['fd00::1', 'private_ip'],
    ['::ffff:192.168.0.1', 'private_ip'],
    ['192.0.2.1', 'reserved_ip'],
    ['255.255.255.255', 'reserved_ip'],
    ['2001:db8::1', 'reserved_ip'],
  ] as const;
  for (const [address, classification] of cases) {
    const examination = examine(datasets, address);
    t.deepEqual(examination, { classification, evidence: null, findings: [], incomplete: null }, address);
    t.is(factorOf(examination).riskLevel, 'medium');
  }
});

test('one cause is one finding, and the most specific one', (t) => {
  const cases = [
    ['hosting', [], ['datacenter_ip']],
    ['hosting', ['vpn'], ['vpn_ip']],
    ['vpn', ['datacenter'], ['vpn_ip']],
    ['hosting', ['datacenter', 'vpn', 'proxy'], ['proxy_ip']],
    ['hosting', ['datacenter', 'vpn', 'proxy', 'tor'], ['tor_ip']],
    ['access', ['tor'], ['tor_ip']],
    ['access', ['datacenter'], ['datacenter_ip']],
    ['hosting', ['relay'], []],
    ['relay', ['datacenter', 'vpn', 'proxy', 'tor'], []],
    ['access', ['relay', 'tor'], []],
    [null, ['vpn'], ['vpn_ip']],
    ['access', ['blocklist'], ['blocklisted_ip']],
    ['hosting', ['blocklist'], ['datacenter_ip', 'blocklisted_ip']],
    ['relay', ['blocklist'], ['blocklisted_ip']],
  ] as const;
  for (const [networkClass, lists, expected] of cases) {
    const examination = examine(networkDatasets({ ...HETZNER, networkClass }, on(...lists)));
    t.deepEqual(codes(examination), [...expected], `${networkClass} ${lists.join(' ')}`);
    for (const finding of examination.findings) t.is(finding.evidence, 'AS24940 Hetzner Online GmbH, DE');
  }
});

test('an address in no list is not found because of its neighbour', (t) => {
  t.deepEqual(codes(examine(networkDatasets({}, on('tor')), '88.197.255.255')), []);
});

test('data centres and VPNs make the factor medium, Tor and proxies high, for any kind of network', (t) => {
  for (const networkClass of ['access', 'mobile', 'business', 'education', 'hosting', 'vpn', null] as const) {
    const levelWith = (list: ListName) =>
      factorOf(examine(networkDatasets({ networkClass }, on(list)))).riskLevel;
    t.is(levelWith('datacenter'), 'medium', `${networkClass} datacenter`);
    t.is(levelWith('vpn'), 'medium', `${networkClass} vpn`);
    t.is(levelWith('proxy'), 'high', `${networkClass} proxy`);
    t.is(levelWith('tor'), 'high', `${networkClass} tor`);
  }
});

test('a swapped state of the data sets is used from the next attempt on', (t) => {
  const store = { ...networkDatasets({ networkClass: 'access' }) };
  const processor = createNetworkProcessor({ datasets: store });
  t.deepEqual((processor.examine(attemptFrom(ADDRESS)) as Examination).findings, []);
  store.current = networkDatasets({ networkClass: 'access' }, on('tor')).current;
  t.deepEqual(codes(processor.examine(attemptFrom(ADDRESS)) as Examination), ['tor_ip']);
});

async function withBlockLists(
  t: ExecutionContext,
  zones: Readonly<Record<string, Zone>>,
  { datasets = networkDatasets({}), timeoutMs = 60_000 } = {},
) {
  const server = await startDnsServer(zones);
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  const dnsbl = { zones: ['bl.example', 'zen.spamhaus.org'], resolver };
  const processor = createNetworkProcessor({ datasets, dnsbl });
  return { server, examine: (address = ADDRESS) => processor.examine(attemptFrom(address)) };
}

test('an address on a DNS block list is found, with the zone as evidence, and queried once', async (t) => {
  const { examine, server } = await withBlockLists(t, { '1.0.198.88.bl.example': { a: ['127.0.0.2'] } });
  const examination = await examine();
  t.deepEqual(examination.findings, [
    {
      code: 'blocklisted_ip',
      evidence: 'listed by bl.example',
      fields: { block_lists: ['bl.example'] },
    },
  ]);
  t.is(examination.incomplete, null);
  t.false(examine() instanceof Promise);
  t.deepEqual([...server.questions].sort(), ['A 1.0.198.88.bl.example', 'A 1.0.198.88.zen.spamhaus.org']);
});

test('an address on no DNS block list is clean', async (t) => {
  const { examine } = await withBlockLists(t, {});
  t.deepEqual(await examine(), {
    classification: 'unclassified_ip',
    evidence: null,
    fields: {},
    findings: [],
    incomplete: null,
  });
});

test('a dead block list is reported as incomplete, and the other results stay', async (t) => {
  const datasets = networkDatasets({ ...HETZNER, networkClass: 'hosting' });
  const { examine } = await withBlockLists(
    t,
    { '1.0.198.88.bl.example': 'silent', '1.0.198.88.zen.spamhaus.org': { a: ['127.0.0.4'] } },
    // A busy machine answers late, and this test waits for the end of it.
    { datasets, timeoutMs: 8_000 },
  );
  const examination = await examine();
  t.deepEqual(codes(examination), ['datacenter_ip', 'blocklisted_ip']);
  t.is(examination.incomplete, 'dnsbl: timeout');
});

test('special addresses are never looked up, nor are those that a feed names', async (t) => {
  const { examine, server } = await withBlockLists(t, {}, { datasets: networkDatasets({}, on('blocklist')) });
  t.false(examine('10.0.0.1') instanceof Promise);
  t.false(examine() instanceof Promise);
  t.deepEqual(server.questions, []);
});
