import test from 'ava';
import { FORM, MULTIPART, part } from '../read-sent-body.ts';
import { GOOD, input, read, SIGN_UP } from './read-operation.ts';

const EVIL = 'c@d.co';
const REGISTER = 'mutation ($email: String) { register(email: $email) { id } }';
const good = { query: SIGN_UP, variables: { input } };
const evil = { query: SIGN_UP, variables: { input: { email: EVIL } } };
const decoy = { query: '{ __typename }' };
const others = [['register', 'variables.email']] as const;
const form = (fields: Readonly<Record<string, unknown>>) =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
const parts = (fields: Readonly<Record<string, unknown>>) =>
  `${Object.entries(fields)
    .map(([name, value]) => part(name, typeof value === 'string' ? value : JSON.stringify(value)))
    .join('')}--X--\r\n`;

test('a batch with a signup of each of two routes is refused, and one of either route is judged', async (t) => {
  const register = { query: REGISTER, variables: { email: EVIL } };
  for (const batch of [
    [good, register],
    [register, good],
    [register, decoy, good],
  ])
    t.is(await read(batch, { others }), 400);
  t.is(await read([decoy, register], { others }), EVIL);
  t.is(await read([good, decoy], { others }), GOOD);
  t.is(await read([decoy, decoy], { others }), 'unjudged');
  t.is(
    await read([good, { extensions: { persistedQuery: { sha256Hash: 'x' } }, variables: { email: EVIL } }], {
      others,
    }),
    400,
  );
});

const WRAPPED: readonly (readonly [what: string, body: unknown])[] = [
  ['a list as Rails and Plug name it', { _json: [evil] }],
  ['such a list beside a document', { ...decoy, _json: [evil] }],
  ['such a list as a text', { _json: JSON.stringify([evil]) }],
  [
    'variables that are text in such a list',
    { _json: [{ ...evil, variables: JSON.stringify(evil.variables) }] },
  ],
  ['a stored document in such a list', { _json: [{ documentId: 'x', variables: evil.variables }] }],
  ['an object that PHP takes for a list', { 0: evil }],
  ['another member of such an object', { 0: decoy, x: evil }],
  ['a member of such an object with a name of the protocol', { 0: decoy, variables: evil }],
  ['a further member of such an object with a name of the protocol', { 0: decoy, extensions: evil }],
];

for (const [what, body] of WRAPPED) {
  test(`operations are judged in ${what}`, async (t) => {
    t.is(await read(body), EVIL);
    t.is(await read(JSON.parse(JSON.stringify(body).replaceAll(EVIL, GOOD))), GOOD);
    t.is(await read({ ...good, ...(body as object), query: SIGN_UP }), 400);
  });
}

test('an email in a document of an inner list is refused', async (t) => {
  const literal = { query: `mutation { signUp(input: {email: "${EVIL}"}) { id } }` };
  for (const body of [{ _json: [literal] }, { 0: literal }, { 0: decoy, 1: literal }])
    t.is(await read(body), 400);
});

test('two signups in an inner list are refused', async (t) => {
  for (const body of [{ 0: good, 1: evil }, { _json: [good, evil] }, { ...good, _json: [evil] }])
    t.is(await read(body), 400);
});

test('inner lists are found in forms, and in the query of the target', async (t) => {
  const judged = [EVIL, 400];
  for (const fields of [
    { _json: [evil] },
    { ...decoy, _json: [evil] },
    { '_json[][query]': SIGN_UP, '_json[][variables]': evil.variables, 'variables[input][email]': GOOD },
    { '_json[][query]': SIGN_UP, '_json[][variables][input][email]': EVIL, variables: { input } },
    { '_json[][documentId]': 'x', '_json[][variables][input][email]': EVIL, ...decoy },
    { '0[x]': 'y', 'variables[query]': SIGN_UP, 'variables[variables][input][email]': EVIL },
  ]) {
    const what = JSON.stringify(fields);
    t.true(judged.includes((await read(form(fields), { type: FORM })) as string), what);
    t.true(judged.includes((await read(parts(fields), { type: MULTIPART })) as string), what);
    for (const body of [{}, { variables: { input } }, good])
      t.true(judged.includes((await read(body, { target: `/graphql?${form(fields)}` })) as string), what);
  }
});

test('members that the protocol does not know, and variables, hold no operation of an honest client', async (t) => {
  const context = { page: 'signUp', query: { page: 2 }, tags: ['{a}', 'signUp'] };
  const logIn = { query: 'mutation ($email: S) { logIn(email: $email) { id } }', variables: { email: EVIL } };
  for (const more of [
    { context },
    { clientInfo: { name: 'web', version: '1' } },
    { events: Array.from({ length: 300 }, (_, i) => ({ id: i, text: 'signUp' })) },
  ]) {
    t.is(await read({ ...logIn, ...more }), 'unjudged', JSON.stringify(more).slice(0, 50));
    t.is(await read({ ...good, ...more }), GOOD, JSON.stringify(more).slice(0, 50));
  }
  const text = { body: 'Hello {name}, please signUp', variables: { signUp: true } };
  t.is(
    await read({ query: 'mutation ($text: T) { post(text: $text) }', variables: { text, ...text } }),
    'unjudged',
  );
  t.is(await read({ _json: Array.from({ length: 101 }, () => evil) }), 413);
});
