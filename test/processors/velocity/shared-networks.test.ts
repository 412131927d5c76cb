import test from 'ava';
import { defaultConfig } from '../../helpers/default-config.ts';
import { codes, differentNetwork, examineAll, many, stranger, WORDS } from './examine-signups.ts';

const SHARED = [
  ['a mobile carrier', '81.2.0.1', 'mobile carrier'],
  ['a university', '81.3.0.1', 'university network'],
  ['a privacy relay', '81.7.0.1', 'privacy relay'],
  ['a network of a privacy relay', '81.9.0.1', 'privacy relay'],
  ['a proxy that hides addresses', '10.0.0.1', 'private address'],
  ['a gateway of many companies', '81.10.0.1', 'shared gateway'],
  ['the placeholder of an app that knows no address', '0.0.0.0', 'unknown address'],
  ['the same placeholder of IPv6', '::', 'unknown address'],
] as const;
for (const [who, ip, why] of SHARED) {
  test(`40 people an hour behind ${who} are no burst, and no number of them is decisive`, (t) => {
    const said = examineAll(
      many(400, (i) => ({
        email: `p${'x'.repeat(i % 40)}.${WORDS[i % 7]}@gmail.com`.replace('p.', `${i}.`),
        ip,
      })),
    );
    const people = new Set(said.slice(0, 40).flatMap(codes));
    people.delete('elevated_velocity');
    t.deepEqual([...people], []);
    const crowd = said.at(-1)?.findings ?? [];
    t.true(
      crowd.some(({ code, evidence }) => code === 'ip_burst' && evidence?.endsWith(`limit 50 (${why})`)),
    );
    t.true(crowd.every(({ decisive, shared }) => decisive === undefined && shared === true));
  });
}

test('a VPN has twice the limit and is never decisive', (t) => {
  const said = examineAll(
    many(70, (i) => ({ email: `${'x'.repeat(i % 40)}y${WORDS[i % 7]}@gmail.com`, ip: '81.4.0.1' })),
  );
  t.deepEqual(
    codes(said[18]).filter((code) => code !== 'elevated_velocity'),
    [],
  );
  t.true(said.at(-1)?.findings.some(({ evidence }) => evidence?.includes('(VPN)')));
  t.true(said.at(-1)?.findings.every(({ decisive, shared }) => decisive === undefined && shared === true));
});

test('a company in one office has wider limits, a crowd at the same address has not', (t) => {
  const office = examineAll(
    many(21, (i) => ({ email: `${stranger(i).split('@')[0]}@corp.de`, ip: '81.6.0.1' })),
    defaultConfig.scoring.velocity,
  );
  t.deepEqual(codes(office[19]), ['elevated_velocity']);
  t.deepEqual(codes(office[20]), ['ip_burst', 'subnet_burst', 'device_burst', 'domain_burst']);
  t.is(
    office[20]?.findings[0]?.evidence,
    '21 mailboxes from one address in an hour, limit 21 (one company at one place)',
  );
  const crowd = examineAll(many(10, (i) => ({ email: stranger(i), ip: '81.6.0.1' })));
  t.true(codes(crowd[9]).includes('ip_burst'));
});

test('an office in a data centre, behind Tor, or of numbered mailboxes does not count as an office', (t) => {
  for (const [ip, name] of [
    ['81.5.0.1', 'x'],
    ['81.8.0.1', 'x'],
    ['81.6.0.1', 'x1'],
  ] as const) {
    const said = examineAll(many(10, (i) => ({ email: `${name}${'y'.repeat(i)}${name}@corp.de`, ip })));
    t.true(codes(said[9]).includes('ip_burst'), ip);
  }
});

test('a university’s or government’s domain has wider limits', (t) => {
  for (const domain of ['uni-bonn.de', 'mit.edu', 'cabinet.gov.uk']) {
    const said = examineAll(
      many(40, (i) => ({ email: `${stranger(i).split('@')[0]}@${domain}`, ip: differentNetwork(i) })),
    );
    t.false(said.flatMap(codes).includes('domain_burst'), domain);
  }
});

test('a flooded Tor exit or proxy is shared with all its users', (t) => {
  const said = examineAll(many(100, (i) => ({ email: stranger(i), ip: '81.8.0.1' })));
  const burst = said.at(-1)?.findings.find(({ code }) => code === 'ip_burst');
  t.like(burst, { shared: true });
  t.true(burst?.evidence?.endsWith('limit 10 (Tor)'));
});

test('students of one university behind one ordinary address are not a burst of one sender', (t) => {
  const said = examineAll(many(400, (i) => ({ email: `s${61000 + i}@uni-bonn.de`, ip: '81.6.0.1' })));
  t.false(said.slice(0, 49).flatMap(codes).includes('ip_burst'));
  t.true(said.flatMap(({ findings }) => findings).every(({ decisive, shared }) => !decisive && shared));
});
