import test from 'ava';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { translatedIpv4 } from '../../src/addresses/translated-ipv4.ts';

function translated(text: string): string | null {
  const ip = parseIpAddress(text);
  if (!ip) throw new Error(`not an address: ${text}`);
  return translatedIpv4(ip)?.text ?? null;
}

test('an address of the translation prefix is its IPv4, in every spelling', (t) => {
  t.is(translated('64:ff9b::8.8.4.4'), '8.8.4.4');
  t.is(translated('64:ff9b::808:404'), '8.8.4.4');
  t.is(translated('0064:FF9B:0:0:0:0:0808:0404'), '8.8.4.4');
});

test('any other address is itself, and so is one with an IPv4 that no sender has', (t) => {
  for (const text of [
    ...['8.8.4.4', '::ffff:8.8.4.4', '2001:db8::808:404', '64:ff9b:1::808:404', '64:ff9b:0:0:0:1:808:404'],
    ...['64:ff9b::10.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::192.0.2.1', '64:ff9b::', '::8.8.4.4'],
  ])
    t.is(translated(text), null, text);
});
