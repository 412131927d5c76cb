import test from 'ava';
import type { FeedConfig } from '../../src/config/config.ts';
import { FeedError } from '../../src/datasets/feed-error.ts';
import { parseFeed } from '../../src/datasets/parse-feed.ts';

type Shape = Pick<FeedConfig, 'kind' | 'format'>;
const tor: Shape = { kind: 'tor', format: 'auto' };
const disposable: Shape = { kind: 'disposable', format: 'auto' };

test('comments, blank lines, line ends of Windows and a byte order mark are no entries', async (t) => {
  const body =
    '\ufeff# list\r\n\r\n192.0.2.9\r\n; old\r\n192.0.2.0/29 ; SBL1\r\n  192.0.2.10  # exit\r\n192.0.2.9';
  t.deepEqual(await parseFeed(body, tor), {
    entries: ['192.0.2.9', '192.0.2.0/29', '192.0.2.10'],
    unreadable: 0,
  });
});

test('a JSON array of strings is recognised', async (t) => {
  t.deepEqual((await parseFeed('\n ["b.com", " A.com "]', disposable)).entries, ['b.com', 'a.com']);
});

test('up to a tenth of the lines may be unreadable', async (t) => {
  const good = Array.from({ length: 18 }, (_, i) => `192.0.2.${i}`);
  const body = [...good, 'what?', 'why?'].join('\n');
  t.is((await parseFeed(body, tor)).unreadable, 2);
  await t.throwsAsync(parseFeed(`${body}\nwho?`, tor), {
    instanceOf: FeedError,
    message: /3 of its 21 entries/,
  });
});

const refused: [what: string, body: string, shape: Shape, message: RegExp][] = [
  ['a web page', '\n<!doctype html><p>192.0.2.1', tor, /web page/],
  ['nothing', '', tor, /no entries/],
  ['comments alone', '# soon\n', tor, /no entries/],
  ['another kind of list', 'a.com\nb.com', tor, /no entries of its kind/],
  ['a JSON object', '{"a": 1}', { kind: 'tor', format: 'json' }, /not an array/],
  ['broken JSON', '["192.0.2.1"', tor, /not valid JSON/],
  ['JSON of other things', '[1, null, {}]', tor, /no entries/],
  ['lines where JSON was promised', '192.0.2.1', { kind: 'tor', format: 'json' }, /not valid JSON/],
  ['JSON where lines were promised', '["192.0.2.1"]', { kind: 'tor', format: 'lines' }, /no entries/],
];

for (const [what, body, shape, message] of refused) {
  test(`a feed that holds ${what} is refused`, async (t) => {
    await t.throwsAsync(parseFeed(body, shape), { instanceOf: FeedError, message });
  });
}

test('more than two million entries are refused before they are held', async (t) => {
  await t.throwsAsync(parseFeed('192.0.2.1\n'.repeat(2_000_001), tor), {
    message: /more than 2000000 entries/,
  });
});

test('of columns the first is the entry, with or without quotes, and a line of titles does no harm', async (t) => {
  const rows = Array.from({ length: 20 }, (_, i) => `192.0.2.${i}/32,GB,GB-ENG,London,`);
  const body = ['ip_prefix,country,region,city,', '"2001:db8::/64", GB', '# end', ...rows].join('\r\n');
  const { entries, unreadable } = await parseFeed(body, { kind: 'relay', format: 'csv' });
  t.deepEqual(entries.slice(0, 2), ['2001:db8::/64', '192.0.2.0/32']);
  t.is(entries.length, 21);
  t.is(unreadable, 1);
});

test('columns are refused where the format does not say so', async (t) => {
  await t.throwsAsync(parseFeed('192.0.2.1,GB\n192.0.2.2,GB', tor), { message: /no entries of its kind/ });
});
