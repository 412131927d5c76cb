import { hash } from 'node:crypto';
import test from 'ava';
import { GOOD, input, read, SIGN_UP } from './read-operation.ts';

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

const form = (fields: object) =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
const stored = (query: string, more: object = {}) => form({ query, ...persisted(query), ...more });
const STORED = { bodyCondition: 'stored document' } as const;

test('a GET stores no document that takes the email from another place', async (t) => {
  for (const signUp of [
    'mutation B($x: I) { signUp(input: $x) { id } }',
    'mutation B($x: S) { signUp(input: {email: $x}) { id } }',
    'mutation B($x: I) { signUp(data: $x) { id } }',
    `mutation B { signUp(input: {email: "c@d.co"}) { id } }`,
    `mutation B($input: I = {email: "c@d.co"}) { signUp(input: $input) { id } }`,
  ])
    for (const query of [signUp, `query A { __typename } ${signUp}`])
      for (const more of [{}, { operationName: 'A' }, { operationName: 'A', variables: { input } }])
        t.is(await read('', { ...STORED, target: `/graphql?${stored(query, more)}` }), 400, query);
});

test('every other GET with a document passes, and none is judged', async (t) => {
  const open = 'query { signUp { isOpen } }';
  const logIn = 'mutation ($x: I) { logIn(input: $x) { id } }';
  for (const search of [
    stored(SIGN_UP),
    stored(`query A { __typename } ${SIGN_UP}`, { operationName: 'A', variables: { input } }),
    stored(open),
    stored(logIn),
    stored(logIn, { variables: { x: { email: 'c@d.co' } } }),
    form({ query: 'mutation B($x: I) { signUp(input: $x) { id } }' }),
    form({ query: open }),
    form({ query: '{ signUpOpen }' }),
    form({
      extensions: { persistedQuery: { sha256Hash: 'x' } },
      variables: { input },
      operationName: 'signUp',
    }),
  ])
    t.is(await read('', { ...STORED, target: `/graphql?${search}` }), 'unjudged', search);
});
