import { gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { ORDINARY_SIGNUPS } from '../../helpers/ordinary-signups.ts';
import { sharedJson } from '../../helpers/shared-data.ts';
import { FORM, GRAPHQL, JSON_TYPE, MULTIPART, read, type Sent } from './read-hostile-body.ts';

const SEEDS: readonly Sent[] = [
  ...ORDINARY_SIGNUPS.map(({ type, body }) => ({ type, body: Buffer.from(body) })),
  { type: FORM, body: Buffer.from('user[email]=a%40b.co&user[name]=x'), route: { email: ['user.email'] } },
  {
    type: JSON_TYPE,
    body: Buffer.from('{"user":{"email":"a@b.co"},"x":[1,{"y":null}]}'),
    route: { email: ['user.email'] },
  },
  {
    type: FORM,
    body: Buffer.from('action=register&email=a%40b.co'),
    route: { when: { action: 'register' } },
  },
  ...[
    '{"operationName":"SignUp","query":"mutation SignUp($input: I!) { signUp(input: $input) { id } }","variables":{"input":{"email":"a@b.co"}}}',
    '[{"query":"{a}"},{"query":"mutation { signUp(input: $input) }","variables":{"input":{"email":"a@b.co"}}}]',
  ].map((body) => ({ type: JSON_TYPE, body: Buffer.from(body), route: GRAPHQL })),
  { type: JSON_TYPE, body: gzipSync('{"email":"a@b.co"}'), encodings: ['gzip'] },
];

/** Bytes that mean something to some parser. */
const MARKS = [
  '"',
  '\\',
  '&',
  ';',
  '=',
  '%',
  '[',
  ']',
  '{',
  '}',
  ':',
  ',',
  '\r\n',
  '\n',
  '\0',
  '--',
  '+',
  '@',
  '\ufeff',
  '\xff',
  '%00',
  '%ff',
  '\\u0000',
  '\\ud800',
  '$',
  '#',
  '"""',
  '__proto__',
  'email',
  'query',
  '_method',
  'boundary=X',
];

const edit = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('insert', 'insert', 'replace', 'cut', 'repeat', 'double'),
  mark: fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 8 })),
  length: fc.nat(40),
});

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function mutate(bytes: Buffer, { at, how, mark, length }: Edit): Buffer {
  const place = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  const inserted = Buffer.from(mark, 'utf8');
  if (how === 'insert') return Buffer.concat([before, inserted, after]);
  if (how === 'replace') return Buffer.concat([before, inserted, after.subarray(inserted.length)]);
  if (how === 'cut') return Buffer.concat([before, after.subarray(length)]);
  if (how === 'repeat') return Buffer.concat([before, Buffer.from(mark.repeat(length * 20)), after]);
  return Buffer.concat([before, after.subarray(0, length), after]);
}

test('mutated bodies, types and targets are read or refused, and never cause an internal error', async (t) => {
  const request = fc.record({
    seed: fc.constantFrom(...SEEDS),
    bodyEdits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    typeEdits: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Edit[]>([]) },
      { weight: 1, arbitrary: fc.array(edit, { maxLength: 2 }) },
    ),
    search: fc.constantFrom(
      '',
      '',
      '',
      '?email=a@b.co',
      '?%',
      '?query={signUp}&variables',
      '?x;email[]=%zz',
      '?_method=PUT',
    ),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ seed, bodyEdits, typeEdits, search }) => {
      const body = bodyEdits.reduce(mutate, seed.body);
      const type = typeEdits.reduce(mutate, Buffer.from(seed.type)).toString('latin1');
      const result = await read({ ...seed, body, type, target: `/signup${search}` });
      t.true(result === null || typeof result === 'string' || [400, 413, 415].includes(result));
    }),
    { numRuns: IS_FULL_PROOF ? 20_000 : 2_000 },
  );
});

test('the escapes of a text are counted as work on a GraphQL route', async (t) => {
  const body = Buffer.from('email%3D'.repeat(125_000));
  const send = (units: number) => read({ type: 'text/plain', body, route: GRAPHQL, units });
  t.is(await send(22_000_000), null);
  t.is(await send(18_000_000), 400);
});

test.serial('a decompression bomb is stopped at the limit, in any encoding', async (t) => {
  const body = gzipSync(Buffer.alloc(200_000_000, 0x20));
  t.true(body.length < 250_000);
  const before = process.memoryUsage.rss();
  for (const type of [JSON_TYPE, FORM, MULTIPART])
    t.is(await read({ type, body, encodings: ['gzip'] }), 413, type);
  t.true(process.memoryUsage.rss() - before < 50_000_000);
});

test('the public JSON suite decides the text beside the email, and its files alone never cause an internal error', async (t) => {
  const { content: files } = sharedJson<Record<string, string>>('conformance/json-test-suite.json');
  for (const [name, base64] of Object.entries(files)) {
    const value = Buffer.from(base64, 'base64');
    const body = Buffer.concat([Buffer.from('{"email":"a@b.co","x":'), value, Buffer.from('}')]);
    const result = await read({ type: JSON_TYPE, body });
    if (name.startsWith('n_')) t.is(result, 400, name);
    // Duplicate keys are valid JSON, but two parsers read two values.
    else if (name.startsWith('y_')) t.is(result, name.includes('duplicated_key') ? 400 : 'a@b.co', name);
    else t.true(result === 'a@b.co' || result === 400, name);
    const alone = await read({ type: JSON_TYPE, body: value });
    t.true(alone === null || alone === 400, name);
  }
});
