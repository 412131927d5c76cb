import test from 'ava';
import { parseContentType } from '../../../src/gate/signup-body/content-type.ts';
import { ProblemError } from '../../../src/http/problem.ts';

test('a type is read alike the first and every later time, however many types were sent before', (t) => {
  const types = Array.from({ length: 300 }, (_, i) => `application/vnd.shop${i}+json`);
  for (const type of [...types, ...types]) t.deepEqual(parseContentType([type]), { kind: 'json' }, type);
  for (const charset of ['utf-8', 'iso-8859-1', 'utf-8', 'iso-8859-1']) {
    const form = `application/x-www-form-urlencoded; charset=${charset}`;
    t.like(parseContentType([form]), { kind: 'urlencoded', charset: new TextDecoder(charset).encoding });
  }
  for (const boundary of ['one', 'two', 'one'])
    t.deepEqual(parseContentType([`multipart/form-data; boundary=${boundary}`]), {
      kind: 'multipart',
      charset: 'utf-8',
      boundary,
    });
});

test('a refused type is refused every time, also beside one that is read', (t) => {
  const refused = [
    'application/json; charset=utf-16',
    'text/plain',
    'application/json; boundary=x',
    // graphql-php then takes the whole body for a document.
    'application/x-www-form-urlencoded; a="application/graphql"',
    '',
  ];
  for (const type of [...refused, ...refused])
    t.throws(() => parseContentType([type]), { instanceOf: ProblemError }, type);
  t.deepEqual(parseContentType(['application/json']), { kind: 'json' });
  t.throws(() => parseContentType(['application/json', 'application/json']), { instanceOf: ProblemError });
  t.throws(() => parseContentType(['application/json', 'text/plain']), { instanceOf: ProblemError });
  t.throws(() => parseContentType([]), { instanceOf: ProblemError });
});
