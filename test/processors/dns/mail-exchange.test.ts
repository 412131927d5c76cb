import test, { type ExecutionContext } from 'ava';
import { parseDomainName } from '../../../src/addresses/email-address.ts';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { askForMailExchange } from '../../../src/processors/dns/mail-exchange.ts';
import { startDnsServer, type Zone } from '../../helpers/dns-server.ts';

const DISPOSABLE = new Set(['mailinator.com']);
const PUBLIC = '93.184.216.34';

async function dnsOver(t: ExecutionContext, zones: Readonly<Record<string, Zone>>, timeoutMs = 5_000) {
  const server = await startDnsServer(zones);
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 5_000, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  const ask = (name: string) => {
    const domain = parseDomainName(name);
    if (!domain) throw new Error(`no domain: ${name}`);
    return askForMailExchange(domain, { resolver, timeoutMs }, DISPOSABLE);
  };
  return { server, ask };
}

const zones: Readonly<Record<string, Zone>> = {
  'shop.de': { mx: ['10 mx.shop.de'] },
  'mx.shop.de': { a: [PUBLIC] },
  'bare.de': { a: [PUBLIC] },
  'six.de': { a: ['2606:2800:220:1::1'] },
  'several.de': { mx: ['10 gone.de', '20 mx.shop.de'] },
  'hosted.de': { mx: ['10 hosted-de.mail.hoster.com'] },
  'hosted-de.mail.hoster.com': { a: [PUBLIC] },
  'equal.de': { mx: ['20 mx.aaa.com', '10 mx2.omega.com', '10 mx1.alpha.com'] },
  'refuses.de': { mx: ['0 .'] },
  'empty.de': {},
  'lost.de': { mx: ['10 gone.de'] },
  'loop.de': { mx: ['10 mx.loop.de'] },
  'mx.loop.de': { a: ['127.0.0.1'] },
  'inner.de': { mx: ['10 mx.inner.de'] },
  'mx.inner.de': { a: ['10.0.0.8', '192.168.1.1'] },
  'loop6.de': { mx: ['10 mx.loop6.de'] },
  'mx.loop6.de': { a: ['::1'] },
  'here.de': { mx: ['10 localhost'] },
  'metadata.de': { a: ['169.254.169.254'] },
  'burner.de': { mx: ['10 mx.shop.de', '20 MX2.Mailinator.com'] },
  'broken.de': 'servfail',
  'halfway.de': { mx: ['10 mx.halfway.de'] },
  'mx.halfway.de': 'servfail',
};

for (const [name, cause, why] of [
  ['nowhere.de', 'no_such_domain', 'the domain does not exist'],
  ['refuses.de', 'null_mx', 'the domain refuses all mail (null MX)'],
  ['empty.de', 'no_mail_server', 'the domain has neither mail server nor address'],
  ['loop.de', 'unreachable_mail_server', 'its mail server has a private address'],
  ['inner.de', 'unreachable_mail_server', 'its mail server has a private address'],
  ['loop6.de', 'unreachable_mail_server', 'its mail server has a private address'],
  ['here.de', 'unreachable_mail_server', 'every mail server it names is a private or reserved one'],
  ['metadata.de', 'unreachable_mail_server', 'its mail server has a private address'],
] as const) {
  test(`${name} is undeliverable: ${why}`, async (t) => {
    const { ask } = await dnsOver(t, zones);
    t.deepEqual(await ask(name), {
      finding: { code: 'undeliverable_email', evidence: why, fields: { cause } },
      incomplete: null,
      server: null,
    });
  });
}

for (const [name, host] of [
  ['shop.de', PUBLIC],
  ['bare.de', PUBLIC],
  ['six.de', '2606:2800:220:1::1'],
  ['several.de', 'gone.de'],
  ['lost.de', 'gone.de'],
  ['hosted.de', 'hoster.com'],
  ['equal.de', 'alpha.com'],
] as const) {
  test(`${name} accepts mail at ${host}, with at most two queries and their IPv6 twin`, async (t) => {
    const { ask, server } = await dnsOver(t, zones);
    t.deepEqual(await ask(name), { finding: null, incomplete: null, server: host });
    t.true(server.questions.length <= 3, server.questions.join(', '));
  });
}

test('a mail server of a throwaway service gives the domain away', async (t) => {
  const { ask } = await dnsOver(t, zones);
  t.deepEqual(await ask('burner.de'), {
    finding: {
      code: 'disposable_mail_exchange',
      evidence: 'mailinator.com',
      fields: { mail_server: 'mailinator.com' },
    },
    incomplete: null,
    server: 'mailinator.com',
  });
});

for (const name of ['broken.de', 'halfway.de']) {
  test(`a failing zone tells nothing against ${name}`, async (t) => {
    const { ask } = await dnsOver(t, zones);
    t.deepEqual(await ask(name), { finding: null, incomplete: 'dns: server_failure', server: null });
  });
}

test('both look-ups share one budget, and a missing answer is no evidence against the domain', async (t) => {
  const { ask, server } = await dnsOver(t, { ...zones, 'mx.shop.de': 'silent' }, 2_000);
  t.deepEqual(await ask('shop.de'), { finding: null, incomplete: 'dns: timeout', server: null });
  t.deepEqual(server.questions, ['MX shop.de', 'A mx.shop.de']);
});

test('a domain that was looked up is answered at once', async (t) => {
  const { ask, server } = await dnsOver(t, zones);
  await ask('bare.de');
  const asked = server.questions.length;
  t.deepEqual(ask('bare.de'), { finding: null, incomplete: null, server: PUBLIC });
  t.is(server.questions.length, asked);
});
