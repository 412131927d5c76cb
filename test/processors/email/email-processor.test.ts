import { fileURLToPath } from 'node:url';
import test from 'ava';
import fc from 'fast-check';
import type { Examination } from '../../../src/assessment/processor.ts';
import { REASONS } from '../../../src/assessment/reasons.ts';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { createMailServers } from '../../../src/processors/dns/mail-servers.ts';
import { loadEmailModels } from '../../../src/processors/email/email-models.ts';
import { createEmailProcessor } from '../../../src/processors/email/email-processor.ts';
import { startDnsServer } from '../../helpers/dns-server.ts';
import { emailAttempt } from '../../helpers/email-attempts.ts';
import { EMAIL_DATASETS, emailDatasets } from '../../helpers/email-datasets.ts';
import { rounds } from '../../helpers/rounds.ts';

const models = loadEmailModels(fileURLToPath(new URL('../../../models/', import.meta.url)));
const processor = createEmailProcessor({ datasets: emailDatasets(), models, dns: null });

function examine(address: string | null): Examination {
  const examination = processor.examine(emailAttempt(address));
  if (examination instanceof Promise) throw new Error('nothing was to be waited for');
  return examination;
}

function factorScore({ classification, findings }: Examination): number {
  const points = findings.reduce((sum, { code }) => sum + REASONS[code].points, 0);
  return Math.max(0, REASONS[classification].base - points);
}

for (const [address, classification, codes] of [
  ['jane@stripe.com', 'corporate_email', []],
  ['jane.doe@gmail.com', 'personal_email', []],
  ['jane+news@gmail.com', 'personal_email', ['subaddressed_email']],
  ['jane+news@stripe.com', 'corporate_email', []],
  ['info@stripe.com', 'corporate_email', ['role_email']],
  ['INFO@stripe.com', 'corporate_email', ['role_email']],
  ['"info"@stripe.com', 'corporate_email', ['role_email']],
  ['postmaster@mit.edu', 'education_email', ['role_email']],
  ['q8xkzr7vwp@gmail.com', 'personal_email', ['random_local_part']],
  ['dpdcnf87nu@duck.com', 'relay_email', []],
  ['info@duck.com', 'relay_email', []],
  ['jаne@gmail.com', 'personal_email', ['mixed_script_email']],
  ['иван@почта.рф', 'corporate_email', []],
  ['用户@例え.jp', 'corporate_email', []],
  ['jane@mailinator.com', 'corporate_email', ['disposable_email']],
  ['jane@example.test', 'corporate_email', ['undeliverable_email']],
] as const) {
  test(`${address} is ${[classification, ...codes].join(', ')}`, (t) => {
    const examination = examine(address);
    t.is(examination.classification, classification);
    t.deepEqual(
      examination.findings.map(({ code }) => code),
      [...codes],
    );
    t.is(examination.incomplete, null);
  });
}

test('a guess about a domain that many people use here is no finding; a certain list still is', (t) => {
  const used = new Set(['doubtful.de', 'mailinator.com']);
  const here = createEmailProcessor({ datasets: emailDatasets(), models, usedDomains: used, dns: null });
  const codesOf = (by: typeof here, address: string) => {
    const examination = by.examine(emailAttempt(address));
    return examination instanceof Promise ? null : examination.findings.map(({ code }) => code);
  };
  for (const address of ['jane@doubtful.de', 'jane@mail.doubtful.de']) {
    t.deepEqual(codesOf(processor, address), ['suspicious_domain'], address);
    t.deepEqual(codesOf(here, address), [], address);
  }
  t.deepEqual(codesOf(here, 'jane@mailinator.com'), ['disposable_email']);
});

test('a missing address and an invalid one are different', (t) => {
  t.deepEqual(examine(null).findings, [
    { code: 'invalid_email', evidence: 'missing', fields: { cause: 'missing' } },
  ]);
  t.deepEqual(examine('jane@').findings, [
    { code: 'invalid_email', evidence: 'syntax', fields: { cause: 'syntax' } },
  ]);
});

test('free providers, relays, roles and tags stay at low risk', (t) => {
  for (const address of [
    'jane@gmail.com',
    'x@duck.com',
    'info@gmail.com',
    'info@stripe.com',
    'a+b@gmail.com',
  ]) {
    t.true(factorScore(examine(address)) >= 70, address);
  }
});

test('no soft finding alone makes the factor high, and every hard one does', (t) => {
  for (const address of [
    'jane@jane.mooo.com',
    'jane@doubtful.de',
    'jane@gmai1.com',
    'jаne@gmail.com',
    'kjhqwxzvbn@gmail.com',
  ]) {
    t.is(examine(address).findings.length, 1, address);
    t.true(factorScore(examine(address)) >= 40, address);
  }
  for (const address of [null, 'jane@mailinator.com', 'jane@x.invalid'])
    t.is(factorScore(examine(address)), 0);
});

test('no evidence holds the local part', (t) => {
  const local = fc.string({ unit: fc.constantFrom(...'zqxjkv579._+-éа'), minLength: 5, maxLength: 20 });
  const domain = fc.constantFrom(
    'gmail.com',
    'mailinator.com',
    'gmai1.com',
    'jane.mooo.com',
    'stripe.com',
    'x.test',
  );
  fc.assert(
    fc.property(local, domain, (name, host) => {
      const { evidence, findings } = examine(`${name}@${host}`);
      for (const text of [evidence, ...findings.map((finding) => finding.evidence)]) {
        t.false(text?.includes(name) ?? false);
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('new data sets are heeded at once', (t) => {
  const datasets = emailDatasets();
  const own = createEmailProcessor({ datasets, models, dns: null });
  const codes = () => {
    const examination = own.examine(emailAttempt('jane@stripe.com'));
    return examination instanceof Promise ? [] : examination.findings.map(({ code }) => code);
  };
  t.deepEqual(codes(), []);
  datasets.current = emailDatasets({ ...EMAIL_DATASETS, disposable: new Set(['stripe.com']) }).current;
  t.deepEqual(codes(), ['disposable_email']);
});

test('the DNS adds facts that the data sets lack, and is queried only for undecided domains', async (t) => {
  const server = await startDnsServer({ 'shop.de': { mx: ['0 .'] } });
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 5_000, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  const asking = createEmailProcessor({
    datasets: emailDatasets(),
    models,
    dns: { resolver, timeoutMs: 5_000 },
  });
  for (const address of ['jane@gmail.com', 'jane@mailinator.com', 'jane@x.test', 'jane@duck.com', null]) {
    t.false(asking.examine(emailAttempt(address)) instanceof Promise, String(address));
  }
  t.deepEqual(server.questions, []);
  const examination = await asking.examine(emailAttempt('info@shop.de'));
  t.deepEqual(
    examination.findings.map(({ code }) => code),
    ['role_email', 'undeliverable_email'],
  );
});

test('the mail server of a domain is evidence, and other processors can read it', async (t) => {
  const server = await startDnsServer({
    'shop.de': { mx: ['10 mx.hoster.com'] },
    'mx.hoster.com': { a: ['93.184.216.34'] },
  });
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 5_000, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  const mailServers = createMailServers();
  const asking = createEmailProcessor({
    ...{ datasets: emailDatasets(), models, mailServers },
    dns: { resolver, timeoutMs: 5_000 },
  });
  const [unknown, known, provider] = ['jane@shop.de', 'jim@shop.de', 'jane@gmail.com'].map(emailAttempt);
  if (!unknown || !known || !provider) return t.fail();
  const examination = asking.examine(unknown);
  t.is(await mailServers.of(unknown), 'hoster.com');
  t.deepEqual((await examination).fields, { domain: 'shop.de', mail_server: 'hoster.com' });
  asking.examine(known);
  t.is(mailServers.of(known), 'hoster.com');
  asking.examine(provider);
  t.is(mailServers.of(provider), null);
});

test('a dead resolver costs the budget, keeps the offline facts, and is reported', async (t) => {
  const server = await startDnsServer({});
  server.silent = true;
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 60, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  const asking = createEmailProcessor({
    datasets: emailDatasets(),
    models,
    dns: { resolver, timeoutMs: 60 },
  });
  const examination = await asking.examine(emailAttempt('info@shop.de'));
  t.is(examination.incomplete, 'dns: timeout');
  t.deepEqual(
    examination.findings.map(({ code }) => code),
    ['role_email'],
  );
});
