import test from 'ava';
import { createRequestId } from '../../src/http/request-id.ts';

test('a request id is a UUID of version 7 that begins with its time', (t) => {
  const now = Date.parse('2026-11-21T12:00:00.123Z');
  const ids = Array.from({ length: 200 }, () => createRequestId(now));
  t.is(new Set(ids).size, ids.length);
  for (const id of ids) {
    t.regex(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    t.is(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), now);
  }
  t.true(createRequestId(now + 1) > createRequestId(now));
  t.is(createRequestId(0).slice(0, 14), '00000000-0000-');
});
