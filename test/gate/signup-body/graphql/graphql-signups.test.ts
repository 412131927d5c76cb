import test from 'ava';
import type { RouteConfig } from '../../../../src/config/config.ts';
import { MULTIPART, part, read } from '../read-sent-body.ts';

const GRAPHQL: Partial<RouteConfig> = { when: { operationName: 'SignUp' }, email: ['variables.input.email'] };
const graphql = (body: unknown) => read(JSON.stringify(body), { route: GRAPHQL });
const variables = { input: { email: 'a@b.co' } };

test('a condition picks the signup out of an endpoint that does many things', async (t) => {
  t.deepEqual(await graphql({ operationName: 'SignUp', query: 'mutation SignUp {x}', variables }), {
    email: 'a@b.co',
  });
  t.is(await graphql({ operationName: 'Products', query: 'query Products {products}', variables: {} }), null);
});

test('a GraphQL signup under another name, or without a name, is still a signup', async (t) => {
  t.deepEqual(await graphql({ operationName: 'X', query: 'mutation X {signUp}', variables }), {
    email: 'a@b.co',
  });
  t.deepEqual(await graphql({ query: 'mutation {a: signUp}' }), { email: null });
  t.deepEqual(await graphql({ extensions: { persistedQuery: { sha256Hash: 'x' } }, variables }), {
    email: 'a@b.co',
  });
});

test('a batch of GraphQL operations is judged by the one that signs up, and refused when there are two', async (t) => {
  const signUp = { operationName: 'SignUp', query: 'mutation SignUp {signUp}', variables };
  const other = { operationName: 'Products', query: '{products}' };
  t.deepEqual(await graphql([signUp]), { email: 'a@b.co' });
  t.deepEqual(await graphql([other, signUp, other]), { email: 'a@b.co' });
  t.is(await graphql([other, other]), null);
  t.is(await graphql([signUp, { ...signUp, operationName: 'X' }]), 400);
  t.is(await graphql([signUp, 'x']), 400);
  t.is(await graphql([other, 'x']), null);
  t.is(await graphql(Array.from({ length: 101 }, () => signUp)), 413);
  t.is(await graphql(Array.from({ length: 101 }, () => other)), null);
});

test('a GraphQL operation that only mentions a longer word, or a stored one without an email, is not a signup', async (t) => {
  t.is(await graphql({ query: 'query Config {signUpEnabled}' }), null);
  t.is(await graphql({ query: '# signUp\n{products}' }), null);
  t.is(await graphql({ documentId: 'x', variables: { first: 10 } }), null);
  t.is(await graphql({ query: `{${'a '.repeat(50_000)}signUp}` }), 413);
});

test('a GraphQL document in the query of the target counts too, and variables there are refused', async (t) => {
  const send = (search: string, body: unknown) =>
    read(JSON.stringify(body), { route: GRAPHQL, target: `/graphql?${search}` });
  t.deepEqual(await send('query=mutation{signUp}', { query: '{products}', variables }), { email: 'a@b.co' });
  t.is(await send('query=mutation{signUp}&variables={}', { variables }), 400);
  t.is(await send('query={products}', { query: '{products}' }), null);
});

const ELSEWHERE: readonly (readonly [what: string, query: string, variables: unknown])[] = [
  ['in the document', 'mutation {signUp(input: {email: "c@d.co"})}', variables],
  ['in a block of the document', 'mutation {signUp(input: {email: """c@d.co"""})}', variables],
  ['escaped in the document', 'mutation {signUp(input: {email: "c\\u0040d.co"})}', variables],
  ['as a default of the document', 'mutation ($x: I = {email: "c@d.co"}) {signUp(input: $x)}', variables],
  ['in another variable', 'mutation {signUp(input: {email: $x})}', { ...variables, x: 'c@d.co' }],
  ['in another object', 'mutation {signUp(input: $x)}', { ...variables, x: { email: 'c@d.co' } }],
];
for (const [what, query, sent] of ELSEWHERE) {
  test(`a GraphQL signup with another address ${what} is refused`, async (t) => {
    t.is(await graphql({ query, variables: sent }), 400);
  });
}

test('a GraphQL signup with the kinds of variables that clients send is read', async (t) => {
  const query =
    'mutation SignUp($input: SignUpInput!, $ref: ID, $utm: Utm) { # sign up\n signUp(input: $input, ref: $ref, utm: $utm) { user { email: emailAddress, id } } }';
  const sent = { ...variables, ref: 'twitter @x', utm: { source: 'y' } };
  t.deepEqual(await graphql({ operationName: 'SignUp', query, variables: sent }), { email: 'a@b.co' });
  const flat = { when: { operationName: 'SignUp' }, email: ['variables.email'] };
  const body = {
    query: 'mutation SignUp($email: String!) { signUp(email: $email) }',
    variables: { email: 'a@b.co', referrer: 'c@d.co' },
  };
  t.deepEqual(await read(JSON.stringify(body), { route: flat }), { email: 'a@b.co' });
  const decoy = {
    ...body,
    query: 'mutation SignUp($email: String!, $referrer: String!) { signUp(email: $referrer) }',
  };
  t.is(await read(JSON.stringify(decoy), { route: flat }), 400);
});

test('a GraphQL upload is read at the place of its operation', async (t) => {
  const upload = (operations: unknown) =>
    read(`${part('operations', JSON.stringify(operations))}${part('map', '{}')}--X--`, {
      type: MULTIPART,
      route: GRAPHQL,
    });
  t.deepEqual(await upload({ query: 'mutation SignUp {signUp}', variables }), { email: 'a@b.co' });
  t.is(await upload({ operationName: 'Avatar', query: 'mutation Avatar {avatar}' }), null);
  t.is(await read(`${part('operations', '{signUp')}--X--`, { type: MULTIPART, route: GRAPHQL }), 400);
});
