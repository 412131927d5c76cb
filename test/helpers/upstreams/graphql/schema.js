// What all GraphQL servers of Node run: two ways to sign up, a few other operations, and documents of their own.
import { createHash } from 'node:crypto';
import {
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';

const SIGN_UP = 'mutation Stored($input: SignUpInput) { signUp(input: $input) { email } }';
const LOG_IN = 'mutation StoredLogIn($email: String) { logIn(email: $email) { email } }';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** By the names and by the hashes that a build would give them. */
export const STORED = new Map([
  ['stored-sign-up', SIGN_UP],
  [sha256(SIGN_UP), SIGN_UP],
  ['stored-log-in', LOG_IN],
  [sha256(LOG_IN), LOG_IN],
]);

const input = new GraphQLInputObjectType({
  name: 'SignUpInput',
  fields: { email: { type: GraphQLString }, name: { type: GraphQLString } },
});
const user = new GraphQLObjectType({ name: 'User', fields: { email: { type: GraphQLString } } });
const string = { type: GraphQLString };

export const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      me: { type: user, resolve: () => ({ email: null }) },
      products: { type: new GraphQLList(GraphQLString), args: { first: { type: GraphQLInt }, like: string } },
      signUpOpen: string,
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      signUp: {
        type: user,
        args: { input: { type: input }, ref: string, note: string },
        resolve: (_parent, { input }, { signedUp }) => signedUp(input?.email ?? null),
      },
      register: {
        type: user,
        args: { email: string, name: string, tags: { type: new GraphQLList(GraphQLString) } },
        resolve: (_parent, { email }, { signedUp }) => signedUp(email ?? null),
      },
      logIn: { type: user, args: { email: string, password: string }, resolve: () => ({ email: null }) },
      invite: {
        type: user,
        args: { input: { type: input }, tags: { type: new GraphQLList(GraphQLString) } },
        resolve: () => ({ email: null }),
      },
    },
  }),
});

const signups = new WeakMap();

/**
 * The context of a request's resolvers. Every signup that ran, with the email it stored, stands in the answer's `X-App`.
 *
 * @param {object} request anything that is the same object for all operations of a request
 * @param {Record<string, string | string[] | undefined>} headers of the request
 * @param {(name: string, value: string) => void} setHeader of the answer
 */
export function contextOf(request, headers, setHeader) {
  return {
    signedUp(email) {
      const emails = signups.get(request) ?? [];
      signups.set(request, emails);
      emails.push(email);
      const judged = headers['x-judged-email'] ?? null;
      const facts = { emails, assertion: headers['x-gatekeeper-assertion'] ?? null, judged };
      setHeader('X-App', encodeURIComponent(JSON.stringify(facts)));
      return { email };
    },
  };
}

/** The document that parameters name, wherever some server looks for a name. */
export function storedDocument(parameters) {
  const { id, hash, documentId, doc_id, queryId, operationId, query } = parameters;
  let { extensions } = parameters;
  if (typeof extensions === 'string') extensions = JSON.parse(extensions);
  const names = [documentId, doc_id, queryId, operationId, id, hash, query];
  return [extensions?.persistedQuery?.sha256Hash, ...names].flatMap((name) => STORED.get(name) ?? [])[0];
}

export function listen(server) {
  server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
}
