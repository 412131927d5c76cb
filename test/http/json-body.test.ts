import test from 'ava';
import fc from 'fast-check';
import { MAX_JSON_DEPTH, parseJsonBody } from '../../src/http/json-body.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { sharedJson } from '../helpers/shared-data.ts';

function refusal(body: string | Buffer): ProblemError {
  try {
    parseJsonBody(Buffer.from(body));
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

test('the public JSON suite is read as expected, except for ambiguity', (t) => {
  const { content: files, isSample } = sharedJson<Record<string, string>>('conformance/json-test-suite.json');
  /** JSON by its grammar, but two parsers read two things in it: a duplicate key is refused. */
  const ambiguous = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);
  let judged = 0;
  for (const [name, base64] of Object.entries(files)) {
    const bytes = Buffer.from(base64, 'base64');
    if (ambiguous.has(name)) t.is(refusal(bytes).code, 'invalid_request', name);
    else if (name.startsWith('y_')) t.deepEqual(parseJsonBody(bytes), JSON.parse(bytes.toString()), name);
    else if (name.startsWith('n_')) t.is(refusal(bytes).status, 400, name);
    else {
      try {
        parseJsonBody(bytes);
      } catch (error) {
        t.true(error instanceof ProblemError, name);
      }
    }
    judged++;
  }
  t.true(isSample || judged > 300);
});

for (const [title, body, pointers] of [
  ['side by side', '{"email":"a","email":"b"}', ['/email']],
  ['spelled with an escape', '{"email":"a","\\u0065mail":"b"}', ['/email']],
  ['with equal values', '{"a":1,"a":1}', ['/a']],
  ['inside an array', '{"list":[{"x":1},{"y":1,"y":2}]}', ['/list/1/y']],
  ['in two places', '{"a":{"b":1,"b":2},"c":1,"c":2}', ['/a/b', '/c']],
  ['with characters that pointers escape', '{"a/b~":1,"a/b~":2}', ['/a~1b~0']],
  ['called __proto__', '{"__proto__":1,"__proto__":2}', ['/__proto__']],
  ['empty', '{"":1,"":2}', ['/']],
  ['behind strings full of brackets', '{"x":"{\\"a\\":1}[\\\\","a":":","a":","}', ['/a']],
] as const) {
  test(`a duplicate key ${title} is refused with its pointer`, (t) => {
    const problem = refusal(body);
    t.is(problem.code, 'invalid_request');
    t.deepEqual(
      problem.facts.errors?.map(({ pointer }) => pointer),
      [...pointers],
    );
  });
}

for (const [title, body, code] of [
  ['an empty body', '', 'malformed_json'],
  ['a byte order mark', '\ufeff{}', 'malformed_json'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'malformed_json'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'malformed_json'],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'malformed_json'],
  ['half a surrogate pair in a value', '{"a":"\\ud800"}', 'malformed_json'],
  ['half a surrogate pair in a name', '{"\\udc00":1}', 'malformed_json'],
  ['a comment', '{"a":1/*b*/}', 'malformed_json'],
  ['a trailing comma', '{"a":1,}', 'malformed_json'],
  ['single quotes', "{'a':1}", 'malformed_json'],
  ['a string that never ends', '{"a":"b', 'malformed_json'],
  ['NaN', '{"a":NaN}', 'malformed_json'],
  ['two documents', '{} {}', 'malformed_json'],
  ['100,000 open brackets', '['.repeat(100_000), 'invalid_request'],
  ['objects one level too deep', nested(MAX_JSON_DEPTH + 1), 'invalid_request'],
] as const) {
  test(`${title} is refused`, (t) => {
    t.is(refusal(body).code, code);
  });
}

test('JSON at exactly the allowed depth is read', (t) => {
  t.notThrows(() => parseJsonBody(Buffer.from(nested(MAX_JSON_DEPTH))));
});

test('a __proto__ member is a property like any other and pollutes nothing', (t) => {
  const value = parseJsonBody(
    Buffer.from('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  );
  t.true(Object.hasOwn(value as object, '__proto__'));
  t.is(({} as { polluted?: unknown }).polluted, undefined);
});

test('the detail never quotes the body', (t) => {
  t.notRegex(refusal('{"email": <script>}').message, /script/);
});

test('every output of JSON.stringify is read back unchanged', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      t.deepEqual(parseJsonBody(Buffer.from(text)), JSON.parse(text));
    }),
  );
});

test('a member repeated anywhere in a random document is found', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
      const members = Object.entries(object).map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`);
      const again = members[pick % members.length];
      t.is(refusal(`{${[...members, again].join(',')}}`).code, 'invalid_request');
    }),
  );
});

function nested(levels: number): string {
  return '{"a":'.repeat(levels - 1).concat('{}', '}'.repeat(levels - 1));
}
