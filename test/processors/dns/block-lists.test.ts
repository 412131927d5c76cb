import test, { type ExecutionContext } from 'ava';
import { askBlockLists, reversedName } from '../../../src/processors/dns/block-lists.ts';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { startDnsServer, type Zone } from '../../helpers/dns-server.ts';
import { ipOf } from '../../helpers/network-attempts.ts';

async function ask(t: ExecutionContext, zone: string, answer: Zone) {
  const name = `7.100.51.198.${zone}`;
  const server = await startDnsServer({ [name]: answer });
  // A busy machine answers late.
  const timeoutMs = answer === 'silent' ? 200 : 20_000;
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  return askBlockLists(ipOf('198.51.100.7'), [zone], resolver);
}

test('addresses are reversed by octets or nibbles, as RFC 5782 says', (t) => {
  t.is(reversedName(ipOf('192.0.2.99')), '99.2.0.192');
  t.is(
    reversedName(ipOf('2001:db8:1:2:3:4:567:89ab')),
    'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2',
  );
});

test('the answers of a zone are interpreted as its maintainers define them', async (t) => {
  const cases: readonly (readonly [
    zone: string,
    answer: Zone,
    listedBy: readonly string[],
    unknown: string | null,
  ])[] = [
    ['bl.example', { a: ['127.0.0.2'] }, ['bl.example'], null],
    ['bl.example', { a: ['127.0.0.10'] }, ['bl.example'], null],
    ['bl.example', 'nxdomain', [], null],
    ['bl.example', {}, [], null],
    ['bl.example', 'servfail', [], 'server_failure'],
    ['bl.example', 'silent', [], 'timeout'],
    // An expired zone or a resolver that answers everything.
    ['bl.example', { a: ['203.0.113.80'] }, [], 'not a block list'],
    // The list refused to answer a public resolver.
    ['bl.example', { a: ['127.255.255.254'] }, [], 'refused'],
    // The policy list of Spamhaus: nearly every home.
    ['zen.spamhaus.org', { a: ['127.0.0.10'] }, [], null],
    ['zen.spamhaus.org', { a: ['127.0.0.11'] }, [], null],
    ['zen.spamhaus.org', { a: ['127.0.0.11', '127.0.0.4'] }, ['zen.spamhaus.org'], null],
    ['notspamhaus.org', { a: ['127.0.0.10'] }, ['notspamhaus.org'], null],
  ];
  for (const [zone, answer, listedBy, unknown] of cases) {
    t.deepEqual(await ask(t, zone, answer), { listedBy, unknown }, `${zone} ${JSON.stringify(answer)}`);
  }
});

test('without zones no query is sent and nothing is incomplete', (t) => {
  const resolver = createBoundedResolver({ servers: [], timeoutMs: 1, now: () => 0 });
  t.teardown(() => resolver.close());
  t.deepEqual(askBlockLists(ipOf('198.51.100.7'), [], resolver), { listedBy: [], unknown: null });
});
