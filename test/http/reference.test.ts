import test from 'ava';
import fc from 'fast-check';
import { referenceOf, timeOfReference } from '../../src/http/reference.ts';
import { createRequestId } from '../../src/http/request-id.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const YEAR_MS = 365 * 86_400_000;

test('a reference leads back to the millisecond of its request, for every time of 30 years', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: NOW - 30 * YEAR_MS, max: NOW }), (time) => {
      const reference = referenceOf(createRequestId(time)) ?? '';
      t.regex(reference, /^[0-9A-HJKMNP-TV-Z]{8}$/);
      t.is(timeOfReference(reference, NOW), time);
    }),
  );
});

test('a reference of a node whose clock is minutes ahead is found', (t) => {
  const ahead = NOW + 5 * 60_000;
  t.is(timeOfReference(referenceOf(createRequestId(ahead)) ?? '', NOW), ahead);
});

test('requests of one millisecond share a reference, those of the next do not', (t) => {
  t.is(referenceOf(createRequestId(NOW)), referenceOf(createRequestId(NOW)));
  t.not(referenceOf(createRequestId(NOW)), referenceOf(createRequestId(NOW + 1)));
});

test('a reference is read however a person writes it down', (t) => {
  const time = Number.parseInt('11111', 32) * 32 ** 3;
  const id = createRequestId(2 ** 40 + time);
  const reference = referenceOf(id) ?? '';
  t.is(reference, '11111000');
  for (const spelling of ['IlIlI000', '1111-1ooo', ' 11111 OOO ', 'lllll-0o0'])
    t.is(timeOfReference(spelling, NOW), 2 ** 40 + time, spelling);
});

for (const text of [
  '',
  '1111100',
  '111110000',
  'U1111000',
  '1111100!',
  'ＡＢＣＤＥＦＧＨ',
  '🙂'.repeat(4),
  'x'.repeat(100_000),
]) {
  test(`"${text.slice(0, 20)}" (${text.length}) is no reference`, (t) => {
    t.is(timeOfReference(text, NOW), null);
  });
}

test('a reference of before 1970 is none, and ids without a time have none', (t) => {
  t.is(timeOfReference('ZZZZZZZZ', 0), null);
  for (const id of ['', 'r1', '0d4ff2c0-8f57-4d6e-9d0e-3f0f8f1f2f3f']) t.is(referenceOf(id), null);
});
