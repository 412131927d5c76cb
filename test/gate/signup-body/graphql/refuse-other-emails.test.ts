import { hash } from 'node:crypto';
import test from 'ava';
import { createWorkBudget } from '../../../../src/gate/budgets.ts';
import { readSignup } from '../../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../../src/http/problem.ts';
import { route } from '../../../helpers/routes.ts';

const GOOD = 'a@b.co';
const input = { email: GOOD };
const NESTED = ['variables.input.email'];
const FLAT = ['variables.email'];
const SIGN_UP = 'mutation ($input: I) { signUp(input: $input) { id } }';

interface Sent {
  readonly email?: readonly string[];
  readonly target?: string;
  readonly type?: string | null;
}

/** The judged email, `null` without one, `unjudged`, or the status of the refusal. */
async function read(
  body: unknown,
  { email = NESTED, target = '/graphql', type = 'application/json' }: Sent = {},
) {
  const request = {
    target,
    rawHeaders: [],
    budget: createWorkBudget(100_000_000),
    contentTypes: type === null ? [] : [type],
    contentEncodings: [],
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
  const signUp = route('/graphql', { when: { operationName: 'signUp' }, email });
  const candidate = {
    route: signUp,
    pathVariant: '/graphql',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup ? signup.email : 'unjudged';
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

const register = (argumentsOf: string) =>
  `mutation ($email: S, $x: S, $y: S) { signUp(${argumentsOf}) { id } }`;

const USED: readonly (readonly [
  what: string,
  query: string,
  variables: object,
  email: readonly string[],
  expected: string | number,
])[] = [
  ['the configured variable', SIGN_UP, { input }, NESTED, GOOD],
  ['the configured variable, flat', register('email: $email'), { email: GOOD }, FLAT, GOOD],
  ['the configured variable under another argument', register('mail: $email'), { email: GOOD }, FLAT, GOOD],
  ['the same mailbox twice', register('email: $email, user: $x'), { email: GOOD, x: 'A@B.co' }, FLAT, GOOD],
  [
    'a text that mentions a mailbox',
    register('email: $email, bio: $x'),
    { email: GOOD, x: 'write to c@d.co now' },
    FLAT,
    GOOD,
  ],
  [
    'the address of a page',
    register('email: $email, web: $x'),
    { email: GOOD, x: 'https://x.example/@ada' },
    FLAT,
    GOOD,
  ],
  ['another mailbox that is not used', register('email: $email'), { email: GOOD, x: 'c@d.co' }, FLAT, GOOD],
  ['another mailbox', register('email: $email, ref: $x'), { email: GOOD, x: 'c@d.co' }, FLAT, 400],
  [
    'another mailbox in a list',
    register('email: $email, refs: $x'),
    { email: GOOD, x: ['c@d.co'] },
    FLAT,
    400,
  ],
  [
    'another mailbox among several',
    register('mail: $x, note: $email'),
    { email: GOOD, x: 'A <c@d.co>' },
    FLAT,
    400,
  ],
  [
    'another mailbox in a second line',
    register('mail: $x, note: $email'),
    { email: GOOD, x: 'x\nc@d.co' },
    FLAT,
    400,
  ],
  [
    'a mailbox with another sign',
    register('mail: $x, note: $email'),
    { email: GOOD, x: 'c\uff20d.co' },
    FLAT,
    400,
  ],
  ['a quoted mailbox', register('mail: $x, note: $email'), { email: GOOD, x: '"c d"@d.co' }, FLAT, 400],
  [
    'a mailbox in JSON in a text',
    register('data: $x, note: $email'),
    { email: GOOD, x: '{"email":"c@d.co"}' },
    FLAT,
    400,
  ],
  ['another variable as the email', register('email: $x'), { email: GOOD, x: 'unknown' }, FLAT, 400],
  [
    'another variable in a list as the email',
    register('email: [$x]'),
    { email: GOOD, x: 'unknown' },
    FLAT,
    400,
  ],
  ['another variable alone', register('mail: $x'), { email: GOOD, x: 'unknown' }, FLAT, 400],
  ['another variable that is not sent', register('email: $email, ref: $x'), { email: GOOD }, FLAT, GOOD],
  [
    'another variable as the input',
    SIGN_UP.replace('(input: $input', '(input: $x'),
    { input, x: { email: 'n' } },
    NESTED,
    400,
  ],
  ['a part of the input', 'mutation { signUp(input: {email: $x}) { id } }', { input, x: 'n' }, NESTED, 400],
  [
    'one of two places',
    'mutation { signUp(input: {email: $email}) { id } }',
    { email: GOOD },
    [...NESTED, ...FLAT],
    GOOD,
  ],
  ['both of two places', register('email: $email'), { email: GOOD, input }, [...NESTED, ...FLAT], GOOD],
];
for (const [what, query, variables, email, expected] of USED) {
  test(`a document that uses ${what} gives ${expected}`, async (t) => {
    t.is(await read({ query, variables }, { email }), expected);
  });
}

for (const text of ['"c@d.co"', '"c\\u0040d.co"', '"c\\u{40}d.co"', '"""c@d.co"""', '"c\uff20d.co"']) {
  test(`an address in the document is refused: ${text}`, async (t) => {
    const query = `mutation ($input: I) { signUp(input: $input, x: ${text}) { id } }`;
    t.is(await read({ query, variables: { input } }), 400);
    const given = `mutation ($input: I, $x: S = ${text}) { signUp(input: $input, x: $x) { id } }`;
    t.is(await read({ query: given, variables: { input } }), 400);
  });
}

const persisted = (query: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } },
});

test('a stored document of a client reads the email from the configured variable, whatever else is sent', async (t) => {
  for (const variables of [{}, { input }, { input, x: null }]) {
    for (const query of [
      'mutation ($x: I) { signUp(input: $x) { id } }',
      'mutation ($x: S) { signUp(input: {email: $x}) { id } }',
      'mutation ($x: S) { signUp(input: [$x]) { id } }',
    ]) {
      t.is(await read({ query, variables, ...persisted(query) }), 400, query);
    }
  }
  t.is(await read({ query: SIGN_UP, variables: { input }, ...persisted(SIGN_UP) }), GOOD);
});

test('the hash of the document in the request names no other document, and any other hash does', async (t) => {
  const query = 'mutation ($input: I) { logIn(input: $input) { id } }';
  t.is(await read({ query, variables: { input }, ...persisted(query) }), 'unjudged');
  t.is(await read({ query, variables: { input }, ...persisted(SIGN_UP) }), GOOD);
  t.is(await read({ variables: { input }, ...persisted(query) }), GOOD);
  t.is(await read({ variables: { first: 10 }, ...persisted(query) }), 'unjudged');
});

for (const name of [
  'id',
  'documentId',
  'doc_id',
  'queryId',
  'operationId',
  'hash',
  'persisted_doc',
  'whatever',
]) {
  test(`a stored document that is called "${name}" is judged with an email, and passes without`, async (t) => {
    for (const query of [undefined, '', null, '{ __typename }']) {
      t.is(await read({ query, [name]: 'x', variables: { input } }), GOOD);
      t.is(await read({ query, [name]: 7, variables: { input } }), GOOD);
      t.is(await read({ query, [name]: 'x', variables: { first: 10 } }), 'unjudged');
      t.is(await read({ query, [name]: 'x', variables: [] }), 'unjudged');
    }
    t.is(await read({ [name]: 'x', variables: { input, other: { email: 'c@d.co' } } }), 400);
  });
}

for (const search of [
  'id=x',
  'documentId=x',
  'doc_id=7',
  'extensions={"persistedQuery":{"sha256Hash":"x"}}',
  'query=abc',
  'h=d41d8cd98f00b204e9800998ecf8427e',
]) {
  test(`a stored document in the query of the target counts: ${search}`, async (t) => {
    const target = `/graphql?${search}`;
    t.is(await read({ query: '{ a }', variables: { input } }, { target }), GOOD);
    t.is(await read({ query: '{ a }', variables: {} }, { target }), 'unjudged');
  });
}

test('the usual query parameters of pages name no stored document', async (t) => {
  for (const search of [
    'op=LogIn',
    'operationName=LogIn',
    'utm_source=x',
    'LogIn',
    'v=2',
    'lang=de&_=1790000000',
  ])
    t.is(
      await read({ query: '{ a }', variables: { input } }, { target: `/graphql?${search}` }),
      'unjudged',
      search,
    );
});

test('a GET is read from its target, and so is a POST without a body', async (t) => {
  const ask = (parameters: Record<string, string>) =>
    read('', { type: null, target: `/graphql?${new URLSearchParams(parameters)}` });
  const variables = JSON.stringify({ input });
  t.is(await ask({ query: SIGN_UP, variables }), GOOD);
  t.is(await ask({ id: 'x', variables }), GOOD);
  t.is(await ask({ query: SIGN_UP, variables, 'variables[input][email]': 'c@d.co' }), 400);
  t.is(await ask({ query: '{ a }', variables }), 'unjudged');
  t.is(await read('', { type: null, target: `/graphql?x=1#&query=mutation{signUp}` }), null);
  t.is(await ask({}), 'unjudged');
  const target = `/graphql?${new URLSearchParams({ query: SIGN_UP, variables })}`;
  t.is(await read([], { target }), GOOD);
  t.is(await read({}, { target }), 400);
  t.is(await ask({ query: '{ a }', operations: '{}' }), 'unjudged');
  t.is(await ask({ query: SIGN_UP, operations: '{}' }), 400);
});

test('variables are read where they are JSON in a text, in a form too', async (t) => {
  const variables = JSON.stringify({ input });
  t.is(await read({ query: SIGN_UP, variables }), GOOD);
  t.is(await read({ query: SIGN_UP, variables: JSON.stringify(variables) }), 400);
  t.is(await read({ query: SIGN_UP, variables: '{"input":{"email":"a@b.co","email":"c@d.co"}}' }), 400);
  const form = (...pairs: string[][]) =>
    read(new URLSearchParams(pairs).toString(), { type: 'application/x-www-form-urlencoded' });
  t.is(await form(['query', SIGN_UP], ['variables', variables]), GOOD);
  t.is(await form(['query', SIGN_UP], ['variables[input][email]', GOOD]), GOOD);
  t.is(await form(['query', SIGN_UP], ['variables', variables], ['variables[input][email]', 'c@d.co']), 400);
  t.is(await form(['query', SIGN_UP], ['variables', variables], ['variables', '{}']), 400);
  t.is(await form(['query', SIGN_UP], ['Variables', variables]), 400);
  t.is(await form(['query', '{ a }'], ['variables', variables]), 'unjudged');
  t.is(await form(['id', 'x'], ['variables', variables]), GOOD);
});

test('operations come alone, and files replace nothing that matters', async (t) => {
  const part = (name: string, value: string) =>
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const upload = (operations: unknown, map: unknown, ...more: string[]) =>
    read(
      `${part('operations', JSON.stringify(operations))}${part('map', JSON.stringify(map))}${more.join('')}--X--`,
      {
        type: 'multipart/form-data; boundary=X',
      },
    );
  const operations = { query: SIGN_UP, variables: { input } };
  t.is(await upload(operations, { 0: ['variables.input.picture'] }), GOOD);
  t.is(await upload([operations], { 0: ['0.variables.input.picture'] }), GOOD);
  for (const place of [
    'variables.input.email',
    'variables.input',
    'variables',
    '0.variables.input.email',
    'variables.input.email.0',
  ])
    t.is(await upload(operations, { 0: [place] }), 400, place);
  for (const place of ['query', '0.query', 'operationName', '', 7]) {
    t.is(await upload({ query: '{ a }' }, { 0: [place] }, part('0', '{ a }')), 'unjudged');
    t.is(await upload({ query: '{ a }' }, { 0: [place] }, part('0', SIGN_UP)), 400);
  }
  t.is(await upload({ query: '{ a }', variables: { input } }, { 0: ['variables.input.email'] }), 'unjudged');
  for (const [name, value] of [
    ['query', '{ a }'],
    ['variables', '{}'],
    ['variables[x]', '1'],
  ] as const)
    t.is(await upload(operations, {}, part(name, value)), 400, name);
  t.is(await upload({ query: '{ a }', variables: { input } }, {}, part('id', 'x')), GOOD);
  t.is(await read({ query: '{ a }', operations: '{}' }), 'unjudged');
  t.is(await read({ query: SIGN_UP, operations: '{}' }), 400);
});

test('texts pass without a signup, and are refused by their type with one', async (t) => {
  const text = (body: string, type = 'application/graphql') => read(body, { type });
  t.is(await text('{ products }'), 'unjudged');
  t.is(await text(SIGN_UP), 415);
  t.is(await text(JSON.stringify({ query: '{ a }', variables: { input } }), 'text/plain'), 'unjudged');
  t.is(await text(JSON.stringify({ query: SIGN_UP, variables: { input } }), 'text/plain;charset=UTF-8'), 415);
  t.is(await text(JSON.stringify({ id: 'x', variables: { input } }), 'text/plain'), 415);
  t.is(await text('hello', 'text/plain'), 'unjudged');
  t.is(await text('id=x&variables[input][email]=a%40b.co', 'text/plain'), 415);
  t.is(await text('query=mutation{sign%55p}', 'text/plain'), 415);
  t.is(await text('{ products }', 'text/plain;charset=utf-16'), 'unjudged');
  t.is(await text(SIGN_UP, 'text/plain;charset=utf-16'), 415);
});

test('an operation that may sign up is refused with too many members', async (t) => {
  const members = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`m${i}`, '{x}']));
  t.is(await read({ query: '{ a }', ...members }), 'unjudged');
  t.is(await read({ query: '{ a }', ...members, email: 'x' }), 413);
});
