import test from 'ava';
import fc from 'fast-check';
import { FORMATS, type TextFormat } from '../../src/config/formats.ts';
import { rounds } from '../helpers/rounds.ts';

const formats: readonly (readonly [string, TextFormat])[] = Object.entries(FORMATS);

test('a pattern for editors accepts exactly the texts of the program, except for its limits', (t) => {
  const samples = [
    '5s',
    '05s',
    'off',
    '9d',
    '16kb',
    '1MB',
    '1b',
    '1k',
    'a'.repeat(64),
    'A'.repeat(64),
    'g'.repeat(64),
    'token',
    'a b',
    '',
  ];
  for (const [name, { accepts, pattern }] of formats) {
    if (pattern === undefined) continue;
    for (const sample of samples)
      t.is(new RegExp(pattern).test(sample), accepts(sample), `${name}: ${sample}`);
  }
});

test('any text gets an answer of every format, and advice only where it is refused', (t) => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.ipV4(), fc.ipV6()),
      (text) => {
        for (const [, { accepts, advise }] of formats) {
          if (!accepts(text)) advise?.(text);
        }
        return true;
      },
    ),
    { numRuns: rounds(100) },
  );
  t.pass();
});

test('a time that a timer cannot wait for is refused, without advice to write the same', (t) => {
  const { accepts, advise, read } = FORMATS['timeout-or-off'];
  t.deepEqual(['off', '5s', '24d', '25d', '400d'].map(accepts), [true, true, true, false, false]);
  t.deepEqual([read('off'), read('5s')], [null, 5_000]);
  t.is(advise('400d'), null);
  t.is(advise('5 seconds'), 'did you mean "5s"?');
});

test('a header that never holds an address is no address header, and the advice says what to write', (t) => {
  const { accepts, advise } = FORMATS['address-header'];
  for (const name of [
    'X-Forwarded-For',
    'forwarded',
    'cf-connecting-ip',
    'Client_IP',
    'x-client',
    'true-client-ip',
  ])
    t.true(accepts(name), name);
  for (const name of ['none', 'OFF', 'null', 'socket', 'remote_addr'])
    t.is(
      accepts(name) ? null : advise(name),
      'leave the key out: without trusted_proxies, the address of the connection counts',
      name,
    );
  for (const name of [
    'host',
    'Cookie',
    'user-agent',
    'authorization',
    'sec-fetch-site',
    'x-forwarded-proto',
    'via',
  ])
    t.is(accepts(name) ? null : advise(name), 'this header never holds the address of a client', name);
  for (const name of ['HTTP_X_FORWARDED_FOR', '$http_x_forwarded_for', 'x_forwarded_for'])
    t.is(accepts(name) ? null : advise(name), 'did you mean "x-forwarded-for"?', name);
  t.is(accepts('x-forwarded-for:') ? null : advise('x-forwarded-for:'), 'did you mean "x-forwarded-for"?');
  t.is(advise('$http_host'), null);
});

test('the sender of mails has one address, and any name', (t) => {
  const { accepts } = FORMATS.sender;
  for (const sender of [
    'a@b.example',
    'Team: A, B (C) <a@b.example>',
    '<root@localhost>',
    'A <a@[IPv6:::1]>',
  ])
    t.true(accepts(sender), sender);
  for (const sender of ['a,b@c.example', 'A <a;b@c.example>', 'A <a@b.example>, B <c@d.example>', 'A <a@b'])
    t.false(accepts(sender), sender);
});
