import test from 'ava';
import { feedEntryReader } from '../../src/datasets/feed-entry.ts';

const domain = feedEntryReader('disposable');
const network = feedEntryReader('tor');

const domains: [text: string, entry: string | null][] = [
  ['Example.COM', 'example.com'],
  ['*.example.com', 'example.com'],
  ['.example.com', 'example.com'],
  ['@example.com', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['ddns.net', 'ddns.net'],
  ['co.uk', null],
  ['com', null],
  ['example', null],
  ['192.0.2.1', null],
  ['a@example.com', null],
  ['<p>example.com', null],
  ['', null],
];

const networks: [text: string, entry: string | null][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:8080', '192.0.2.1'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.1-192.0.2.9', '192.0.2.1-192.0.2.9'],
  ['192.0.2.1 - 192.0.2.9', '192.0.2.1-192.0.2.9'],
  ['192.0.2.1-192.0.2.1', '192.0.2.1'],
  ['192.0.2.9-192.0.2.1', null],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::1-2001:db8::ffff', '2001:db8::1-2001:db8::ffff'],
  ['2001:db8::ffff-2001:db8::1', null],
  ['192.0.2.1-2001:db8::1', null],
  ['0.0.0.0/0', null],
  ['10.0.0.0/7', null],
  ['::/0', null],
  ['1.0.0.0-200.0.0.0', null],
  ['192.0.2.0/33', null],
  ['192.0.2.0/', null],
  ['192.0.2', null],
  ['example.com', null],
  ['', null],
];

test('entries of domains are read in their usual spellings, and suffixes of whole countries are not', (t) => {
  for (const [text, entry] of domains) t.is(domain(text), entry, text);
});

test('entries of networks are addresses, prefixes and ranges, and never a good part of the internet', (t) => {
  for (const [text, entry] of networks) t.is(network(text), entry, text);
});
