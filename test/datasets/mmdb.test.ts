import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type IpAddress, parseIpAddress } from '../../src/addresses/ip-address.ts';
import { openMmdb } from '../../src/datasets/mmdb.ts';
import { encodeMmdb, writeMmdb } from '../helpers/mmdb-file.ts';

const realFile = (name: string) =>
  new URL(`../../node_modules/@ip-location-db/geo-whois-asn-country-mmdb/${name}.mmdb`, import.meta.url)
    .pathname;

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return address;
}

function fileWith(t: ExecutionContext, content: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-mmdb-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'user.mmdb');
  writeFileSync(path, content);
  return path;
}

test('a real database of both families finds records and the length of their prefixes', (t) => {
  const file = openMmdb(realFile('geo-whois-asn-country'));
  t.deepEqual(file.find(ip('8.8.8.8')), { record: { country_code: 'US' }, prefixLength: 15 });
  t.deepEqual(file.find(ip('2a00::1')), { record: { country_code: 'DE' }, prefixLength: 22 });
  t.is(file.find(ip('127.0.0.1')).record, null);
  t.is(file.databaseType, 'country ipvAll');
  t.is(file.builtAt.toISOString().slice(0, 10), '2026-06-17');
  t.regex(file.revision, /^[0-9a-f]{12}$/);
});

test('a real database of IPv4 alone knows no IPv6 address', (t) => {
  const file = openMmdb(realFile('geo-whois-asn-country-ipv4'));
  t.deepEqual(file.find(ip('8.8.8.8')).record, { country_code: 'US' });
  t.is(file.find(ip('2a00::1')).record, null);
});

test('records of every kind come as they are', (t) => {
  const record = { asn: 64_500, name: 'Ünïcode GmbH', flag: true, off: false, place: { iso_code: 'XK' } };
  const file = openMmdb(writeMmdb(t, 'GeoLite2-ASN', { '203.0.113.0/24': record, '2001:db8::/32': record }));
  t.deepEqual(file.find(ip('203.0.113.9')), { record, prefixLength: 24 });
  t.deepEqual(file.find(ip('2001:db8::9')), { record, prefixLength: 32 });
  t.is(file.find(ip('203.0.114.0')).record, null);
});

test('a missing file is refused with its name and the remedy', (t) => {
  t.throws(() => openMmdb('/nowhere/asn.mmdb'), {
    message: '/nowhere/asn.mmdb cannot be read. Correct its path in the configuration, or remove it.',
  });
});

test('a file that is damaged or of another format is refused with its name and the remedy', (t) => {
  const whole = encodeMmdb('GeoLite2-ASN', { '203.0.113.0/24': { autonomous_system_number: 64_500 } });
  const real = readFileSync(realFile('geo-whois-asn-country'));
  const damaged: readonly (readonly [string, Uint8Array])[] = [
    ['empty', new Uint8Array()],
    ['text', Buffer.from('<!doctype html><title>Log in</title>')],
    ['a megabyte of zeroes', new Uint8Array(1_000_000)],
    ['without its end', whole.subarray(0, whole.length - 60)],
    ['without its beginning', whole.subarray(whole.length - 120)],
    ['a real one cut in half', real.subarray(0, real.length / 2)],
    ['the second half of a real one', real.subarray(real.length / 2)],
  ];
  for (const [what, content] of damaged) {
    const path = fileWith(t, content);
    const error = t.throws(() => openMmdb(path), undefined, what);
    t.is(
      error?.message,
      `${path} is not a whole MaxMind database (.mmdb). Fetch it again, or remove it from the configuration.`,
    );
  }
});
