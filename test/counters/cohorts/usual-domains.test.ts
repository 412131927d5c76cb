import test from 'ava';
import { createUsualDomains, type UsualDomains } from '../../../src/counters/cohorts/usual-domains.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SEED = { high: 1, low: 2 };

/** Ten mailboxes an hour, of which this share has the domain. Returns when the next one comes. */
function live(
  domains: UsualDomains,
  { share = 0.6, days = 5, from = START, everyMs = 6 * MINUTE, domain = 'uni-bonn.de' } = {},
): number {
  const count = Math.floor((days * DAY) / everyMs);
  for (let i = 0; i < count; i++) {
    const isOfDomain = Math.floor((i + 1) * share) > Math.floor(i * share);
    domains.observe(
      { domain: isOfDomain ? domain : null, mailbox: `${domain} ${from} ${i}` },
      from + i * everyMs,
      1,
    );
  }
  return from + count * everyMs;
}
const ask = (domains: UsualDomains, at: number, domain = 'uni-bonn.de') =>
  domains.observe({ domain, mailbox: `${domain} asks at ${at}` }, at, 1).usual;

test('a domain that more than half of the people have keeps its share in a crowd of forty times as many', (t) => {
  const domains = createUsualDomains(SEED);
  const end = live(domains, { from: live(domains), days: 0.2, everyMs: 9_000 });
  const usual = ask(domains, end);
  t.true(Math.abs((usual?.usual ?? 0) - 0.6) < 0.02, JSON.stringify(usual));
  t.is(usual?.among, 1024);
  t.true(Math.abs((usual?.count ?? 0) - 614) < 20);
});

test('mailboxes of that domain alone, faster than ever, are not usual', (t) => {
  const domains = createUsualDomains(SEED);
  const from = live(domains);
  const end = live(domains, { from, share: 1, days: 0.01, everyMs: 5_000 });
  t.is(ask(domains, end), null);
});

test('a domain that nearly all people have keeps its rate, and is not usual above it', (t) => {
  const domains = createUsualDomains(SEED);
  const from = live(domains, { share: 0.95 });
  t.not(ask(domains, from), null);
  const end = live(domains, { from, share: 0.95, days: 0.2, everyMs: 9_000 });
  t.is(ask(domains, end), null);
});

test('a domain of few people is never usual, nor is a new one', (t) => {
  const domains = createUsualDomains(SEED);
  const end = live(domains, { share: 0.03 });
  t.is(ask(domains, end), null);
  t.is(ask(domains, end, 'new.de'), null);
});

test('a domain that joins the site with half of its people, and stays, becomes usual', (t) => {
  const domains = createUsualDomains(SEED);
  const from = live(domains, { share: 0 });
  const early = live(domains, { from, share: 0.5, days: 1 });
  t.is(ask(domains, early), null);
  t.not(ask(domains, live(domains, { from: early, share: 0.5, days: 5 })), null);
});

test('on the first day nothing is usual', (t) => {
  const domains = createUsualDomains(SEED);
  t.is(ask(domains, live(domains, { days: 0.9 })), null);
});

test('a mailbox counts once, and a refused one not at all', (t) => {
  const domains = createUsualDomains(SEED);
  const from = live(domains);
  const before = ask(domains, from)?.count ?? 0;
  for (let i = 0; i < 200; i++) {
    const again = domains.observe({ domain: 'uni-bonn.de', mailbox: 'one student' }, from + i, 1);
    t.is(again.place === -1, i > 0);
  }
  for (let i = 0; i < 200; i++) {
    const refused = domains.observe({ domain: 'uni-bonn.de', mailbox: `refused ${i}` }, from + 200 + i, 1);
    domains.takeBack(refused.place);
  }
  // The refused ones pushed older mailboxes out of the windows.
  t.true((ask(domains, from + 500)?.count ?? 0) <= before + 2);
});

test('a flood of new domains forgets no domain that the windows still hold', (t) => {
  const domains = createUsualDomains(SEED);
  const from = live(domains);
  for (let i = 0; i < 20_000; i++) {
    const at = from + i * 1_000;
    domains.observe({ domain: `d${i}.com`, mailbox: `flood ${i}` }, at, 1);
    if (i % 2 === 0) domains.observe({ domain: 'uni-bonn.de', mailbox: `student ${i}` }, at, 1);
  }
  t.not(ask(domains, from + 20_000_000), null);
});
