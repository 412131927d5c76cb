import test from 'ava';
import { cohortSightingOf } from '../../../src/processors/velocity/attempt-counts.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

function sightingOf(email: string | null, more: Partial<Signup> = {}) {
  const { identity, scope, receivedAt } = attemptOf({ email, ip: '81.1.0.1', at: 0, ...more });
  return cohortSightingOf({ processedAt: receivedAt, scope, identity }, knownNetworks.current.email);
}
const kindsOf = (email: string, more?: Partial<Signup>) =>
  sightingOf(email, more)?.cells.map(({ kind }) => kind);

test('a mailbox at a provider is compared with all, its provider and its browser', (t) => {
  t.deepEqual(kindsOf('anna.weber@gmail.com'), ['all', 'provider', 'browser']);
  t.deepEqual(kindsOf('anna.weber@gmail.com', { userAgent: null }), ['all', 'provider']);
  t.like(sightingOf('anna.weber@gmail.com')?.cells[1], { group: 'gmail.com', style: 'n.n' });
});

test('an own domain is compared by its spelling and suffix too', (t) => {
  t.deepEqual(sightingOf('anna.weber@sunnyriver.co.uk', { userAgent: null })?.cells, [
    { kind: 'all', group: '', style: 'n.n' },
    { kind: 'provider', group: 'companies', style: 'n.n' },
    { kind: 'domain', group: '', style: '@o.co.uk' },
  ]);
});

test('an own domain is compared by its mail server, live and from storage', (t) => {
  const { identity, scope } = attemptOf({ email: 'anna.weber@river.de', ip: '81.1.0.1', at: 0 });
  const { email } = knownNetworks.current;
  const cell = { kind: 'mail_server', group: '', style: 'mx:hoster.com' };
  for (const attempt of [
    { processedAt: 0, scope, identity, mailServer: 'hoster.com' },
    { processedAt: 0, scope, identity: { ...identity, mailServer: 'hoster.com' } },
  ]) {
    t.deepEqual(cohortSightingOf(attempt, email)?.cells.at(-1), cell as never);
  }
  t.true(cohortSightingOf({ processedAt: 0, scope, identity, mailServer: null }, email)?.cells.length === 4);
});

test('people of one company count as one, people of one provider do not', (t) => {
  t.is(sightingOf('anna@acme.de')?.member, sightingOf('bert@acme.de')?.member);
  t.not(sightingOf('anna@gmail.com')?.member, sightingOf('bert@gmail.com')?.member);
  t.is(sightingOf('a.nna@gmail.com')?.member, sightingOf('anna@gmail.com')?.member);
});

test('an attempt without a mailbox has no style', (t) => {
  t.is(sightingOf(null), null);
});
