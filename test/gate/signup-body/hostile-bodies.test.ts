import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import type { RouteConfig } from '../../../src/config/config.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { createWorkBudget } from '../../../src/gate/work-budget.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { ORDINARY_SIGNUPS } from '../../helpers/ordinary-signups.ts';
import { route } from '../../helpers/routes.ts';

interface Sent {
  readonly type: string;
  readonly body: Buffer;
  readonly encodings?: readonly string[];
  readonly target?: string;
  readonly route?: Partial<RouteConfig>;
}

/** The email, null where there is none or no signup, or the status of the refusal. Anything else is thrown. */
async function read({ type, body, encodings = [], target = '/signup', route: changed = {} }: Sent) {
  const candidate = {
    route: route('/signup', changed),
    reading: '/signup',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  try {
    const request = {
      target,
      rawHeaders: [],
      contentTypes: [type],
      contentEncodings: encodings,
      budget: createWorkBudget(20_000_000),
      bytes: body,
    };
    return (await readSignup(request, [candidate]))?.email ?? null;
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=X';
const GRAPHQL: Partial<RouteConfig> = {
  path: '/graphql',
  when: { operationName: 'SignUp' },
  email: ['variables.input.email'],
};

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

test('mutated bodies, types and targets are read or refused, never an error of ours', async (t) => {
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
    { numRuns: process.env.CI ? 20_000 : 2_000 },
  );
});

const MEGABYTE = 1_040_000;
const fill = (unit: string, length = MEGABYTE) => unit.repeat(Math.floor(length / unit.length));
const part = (head: string, value = '') =>
  `--X\r\nContent-Disposition: form-data; name="a"${head}\r\n\r\n${value}\r\n`;
const json = (value: string) => `{"email":"a@b.co","x":${value}}`;
const numbered = (count: number, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(',');

const LARGE: readonly (readonly [what: string, type: string, body: string, route?: Partial<RouteConfig>])[] =
  [
    ['an object of many names', JSON_TYPE, json(`{${numbered(80_000, (i) => `"k${i}":1`)}}`)],
    [
      'an object of many names at the top',
      JSON_TYPE,
      `{${numbered(80_000, (i) => `"k${i}":1`)},"email":"a@b.co"}`,
    ],
    [
      'an object of names that fold',
      JSON_TYPE,
      `{${numbered(40_000, (i) => `"\u00e9mail${i}":1`)},"email":"a@b.co"}`,
    ],
    ['a list of objects', JSON_TYPE, json(`[${fill('{},')}1]`)],
    ['brackets', JSON_TYPE, fill('[')],
    ['backslashes', JSON_TYPE, json(`"${fill('\\\\')}"`)],
    ['the same name', JSON_TYPE, `{${fill('"a":1,')}"email":"a@b.co"}`],
    ['forms within JSON', JSON_TYPE, json(`"${fill('&xemail=')}"`)],
    ['nearly forms within JSON', JSON_TYPE, json(`"${fill('email')}="`)],
    ['far forms within JSON', JSON_TYPE, json(`"${fill(`email${'x'.repeat(195)}`)}="`)],
    ['semicolons', FORM, `email=a%40b.co&x=${fill(';')}`],
    ['ampersands', FORM, fill('&')],
    ['a name of dots', FORM, `x${fill('.a')}=1&email=a%40b.co`],
    ['a name of full-width letters', FORM, `${fill('%EF%BD%81')}=1&email=a%40b.co`],
    [
      'many names of brackets',
      FORM,
      `${Array.from({ length: 999 }, (_, i) => `a${'[a]'.repeat(300)}${i}=`).join('&')}&email=a%40b.co`,
    ],
    [
      'part heads of white space',
      MULTIPART,
      `${fill(part(`\r\nContent-Type: a/b${' '.repeat(7_000)}c`))}--X--`,
    ],
    ['dispositions of white space', MULTIPART, `${fill(part(`;${' '.repeat(7_000)}filename="x"`))}--X--`],
    ['dispositions of backslashes', MULTIPART, `${fill(part(`; filename="${'\\a'.repeat(3_500)}"`))}--X--`],
    ['many small parts', MULTIPART, `${fill(part(''))}--X--`],
    ['nearly boundaries', MULTIPART, `${part('', fill('\r\n-'))}--X--`],
    ['a long document', JSON_TYPE, JSON.stringify({ query: `signUp ${fill('email:$b ', 49_000)}` }), GRAPHQL],
    ['a longer document', JSON_TYPE, JSON.stringify({ query: fill('signUp ') }), GRAPHQL],
    ['a document of quotes', JSON_TYPE, JSON.stringify({ query: `signUp ${fill('"""', 49_000)}` }), GRAPHQL],
    [
      'many variables',
      JSON_TYPE,
      `{"query":"signUp","variables":{${numbered(40_000, (i) => `"v${i}":{"a":1}`)}}}`,
      GRAPHQL,
    ],
    ['many members', JSON_TYPE, `{"query":"{a}",${numbered(60_000, (i) => `"m${i}":"{x"`)}}`, GRAPHQL],
    [
      'many names of stored documents',
      JSON_TYPE,
      `{"variables":{"input":{"email":"a@b.co"}},"extensions":{${numbered(60_000, (i) => `"m${i}":"x"`)}}}`,
      GRAPHQL,
    ],
    [
      'nearly mailboxes',
      JSON_TYPE,
      JSON.stringify({
        query: '{signUp(input:$input,x:$x)}',
        variables: { input: { email: 'a@b.co' }, x: fill('<a<@ "@ ') },
      }),
      GRAPHQL,
    ],
    [
      'a document of marks',
      JSON_TYPE,
      JSON.stringify({ query: `{signUp}${fill('\u0301\u0316', 900_000)}` }),
      GRAPHQL,
    ],
    [
      'a batch of long documents',
      JSON_TYPE,
      `[${numbered(100, () => JSON.stringify({ query: `signUp ${fill('x ', 9_000)}` }))}]`,
      GRAPHQL,
    ],
  ];

for (const [what, type, body, changed] of LARGE) {
  test.serial(`a megabyte of ${what} is read or refused within a moment`, async (t) => {
    const started = process.cpuUsage();
    const result = await read({ type, body: Buffer.from(body), ...(changed && { route: changed }) });
    const { user, system } = process.cpuUsage(started);
    t.true(result === null || typeof result === 'string' || [400, 413].includes(result));
    // Measured: at most 75 ms, nearly all of it JSON.parse. What is quadratic takes minutes.
    t.true(user + system < 2_000_000, `${user + system} µs`);
  });
}

test.serial('a bomb is given up at the limit, whatever packs it', async (t) => {
  const body = gzipSync(Buffer.alloc(200_000_000, 0x20));
  t.true(body.length < 250_000);
  const before = process.memoryUsage.rss();
  for (const type of [JSON_TYPE, FORM, MULTIPART])
    t.is(await read({ type, body, encodings: ['gzip'] }), 413, type);
  t.true(process.memoryUsage.rss() - before < 50_000_000);
});

const SUITE = new URL('../../../../shared/data/conformance/json-test-suite.json', import.meta.url);

const testWithSuite = existsSync(SUITE) ? test : test.skip;
testWithSuite(
  'the public JSON suite decides what is read beside the email, and its files alone are never an error of ours',
  async (t) => {
    const files: Record<string, string> = JSON.parse(readFileSync(SUITE, 'utf8'));
    for (const [name, base64] of Object.entries(files)) {
      const value = Buffer.from(base64, 'base64');
      const body = Buffer.concat([Buffer.from('{"email":"a@b.co","x":'), value, Buffer.from('}')]);
      const result = await read({ type: JSON_TYPE, body });
      if (name.startsWith('n_')) t.is(result, 400, name);
      // Names that stand twice are JSON, but two parsers read two things in them.
      else if (name.startsWith('y_')) t.is(result, name.includes('duplicated_key') ? 400 : 'a@b.co', name);
      else t.true(result === 'a@b.co' || result === 400, name);
      const alone = await read({ type: JSON_TYPE, body: value });
      t.true(alone === null || alone === 400, name);
    }
  },
);
