import { hash } from 'node:crypto';

/** What a client may ask a GraphQL server for, before it is put into a request. */
export interface Operation {
  readonly id: string;
  readonly members: Readonly<Record<string, unknown>>;
}

export const GOOD = 'good@corp.example';
export const EVIL = 'bad@burner.example';
const input = { email: GOOD, name: 'x' };

function of(id: string, query: unknown, variables?: unknown, more: object = {}): Operation {
  return { id, members: { query, ...(variables !== undefined && { variables }), ...more } };
}

const SIGN_UP = 'mutation SignUp($input: SignUpInput) { signUp(input: $input) { email } }';
const REGISTER = 'mutation Register($email: String) { register(email: $email) { email } }';
const IN = '($input: SignUpInput)';

/** As the clients of apps send them. */
export const SIGNUPS: readonly Operation[] = [
  of('named', SIGN_UP, { input }, { operationName: 'SignUp' }),
  of('unnamed', 'mutation($input:SignUpInput){signUp(input:$input){email}}', { input }),
  of('renamed', SIGN_UP.replace('SignUp(', 'Other('), { input }, { operationName: 'Other' }),
  of('aliased', `mutation ${IN} { products: signUp(input: $input) { email } }`, { input }),
  of('flat', REGISTER, { email: GOOD }, { operationName: 'Register' }),
  of('commented', `# sign up\n${SIGN_UP} # "done`, { input }),
  of('with commas and a mark', `\ufeffmutation,${IN},{,signUp,(input:$input),{email,},},`, { input }),
  of('spread', `mutation ${IN} { ...F } fragment F on Mutation { signUp(input: $input) { email } }`, {
    input,
  }),
  of('inline', `mutation ${IN} { ... on Mutation { signUp(input: $input) { email } } }`, { input }),
  of(
    'included',
    'mutation ($input: SignUpInput, $x: Boolean!) { ... @include(if: $x) { signUp(input: $input) { email } } }',
    { input, x: true },
  ),
  of(
    'with a reference',
    'mutation ($input: SignUpInput, $ref: String) { signUp(input: $input, ref: $ref) { email } }',
    { input, ref: 'twitter @x' },
  ),
  of(
    'one of several',
    `query Open { signUpOpen } ${SIGN_UP} mutation LogIn($email: String) { logIn(email: $email) { email } }`,
    { input },
    { operationName: 'SignUp' },
  ),
  of(
    'with a variable by its parts',
    'mutation ($email: String) { register(email: $email, name: "x") { email } }',
    {
      email: GOOD,
    },
  ),
  of(
    'with two that are one',
    `mutation ${IN} { a: signUp(input: $input) { email } b: signUp(input: $input) { email } }`,
    {
      input,
    },
  ),
];

/** Nobody is signed up by these, and they are nobody's to refuse or to judge. */
export const OTHERS: readonly Operation[] = [
  of('a query', '{ me { email } }'),
  of('a log-in', 'mutation LogIn($email: String) { logIn(email: $email) { email } }', { email: GOOD }),
  of(
    'an invitation',
    'mutation Invite($input: SignUpInput) { invite(input: $input) { email } }',
    { input },
    { operationName: 'Invite', extensions: { clientLibrary: { name: '@apollo/client', version: '4.0.0' } } },
  ),
  of('the name in a comment', '# then signUp(input: $input)\n{ products }', { input }),
  of('the name in a string', '{ products(like: "signUp") }', { input }),
  of('the name in a block', '{ products(like: """ signUp """) }'),
  of('a longer name', '{ signUpOpen }', { input }),
  of('the name of a variable', 'query ($signUp: [String]) { products(like: $signUp) }', {
    signUp: ['x'],
    input,
  }),
  of('no variables', '{ products }', null),
  of('an empty list of variables', '{ products }', []),
  of('introspection', '{ __schema { queryType { name } types { name fields { name } } } }'),
  of('an accent', '{ products(like: "é 🎉") } # ✓'),
];

const block = (text: string) => `"""${text}"""`;

const literal = (text: string) => `mutation ${IN} { signUp(input: {email: ${text}}) { email } }`;

/** With a good email where the route looks for it, and another one where it does not. */
export const HOSTILE: readonly Operation[] = [
  ...[
    `"${EVIL}"`,
    block(EVIL),
    `"${EVIL.replace('@', '\\u0040')}"`,
    `"${EVIL.replace('@', '\\u{40}')}"`,
    block(`\\"""@x.example`),
  ].map((text) => of(`literal ${text}`, literal(text), { input })),
  ...[undefined, null].flatMap((left) => [
    of(
      `default, given ${left}`,
      `mutation ($x: SignUpInput = {email: "${EVIL}"}) { signUp(input: $x) { email } }`,
      {
        input,
        x: left,
      },
    ),
    of(`flat default, given ${left}`, `mutation ($e: String = "${EVIL}") { register(email: $e) { email } }`, {
      email: GOOD,
      e: left,
    }),
  ]),
  of('another variable', 'mutation ($x: SignUpInput) { signUp(input: $x) { email } }', {
    input,
    x: { email: EVIL },
  }),
  of('the email of another variable', 'mutation ($x: String) { signUp(input: {email: $x}) { email } }', {
    input,
    x: EVIL,
  }),
  of(
    'another flat variable',
    'mutation ($email: String, $x: String) { register(email: $x, name: $email) { email } }',
    { email: GOOD, x: EVIL },
  ),
  of('another variable that is no mailbox', 'mutation ($x: SignUpInput) { signUp(input: $x) { email } }', {
    input,
    x: { email: 'nobody' },
  }),
  of(
    'another variable, and the right one beside it',
    'mutation ($x: SignUpInput, $input: SignUpInput) { signUp(input: $x) { email } invite(input: $input) { email } }',
    { input, x: { email: 'nobody' } },
  ),
  of(
    'two with two variables',
    'mutation ($input: SignUpInput, $x: SignUpInput) { a: signUp(input: $input) { email } b: signUp(input: $x) { email } }',
    { input, x: { email: EVIL } },
  ),
  of(
    'another in a fragment',
    'mutation ($x: SignUpInput) { ...F } fragment F on Mutation { signUp(input: $x) { email } }',
    { input, x: { email: EVIL } },
  ),
  of(
    'another in the operation that runs',
    `${SIGN_UP} mutation B($x: SignUpInput) { signUp(input: $x) { email } }`,
    { input, x: { email: EVIL } },
    { operationName: 'B' },
  ),
  of(
    'a variable declared twice',
    `mutation ($email: String, $email: String = "${EVIL}") { register(email: $email) { email } }`,
    {
      email: GOOD,
    },
  ),
  of('a variable in another case', 'mutation ($Input: SignUpInput) { signUp(input: $Input) { email } }', {
    input,
    Input: { email: EVIL },
  }),
  of('a list of emails', REGISTER, { email: [EVIL] }),
  of('a list of inputs', SIGN_UP, { input: [{ email: EVIL }] }),
  of('an input in another case', SIGN_UP, { input: { email: EVIL, Email: GOOD } }),
  of('two variables by name', REGISTER, { email: GOOD, Email: EVIL }),
  of('a NUL in a comment', `#\0\n${SIGN_UP}`, { input: { email: EVIL } }),
  of('a NUL at the start', `\0${SIGN_UP}`, { input: { email: EVIL } }),
  of('a NUL between', SIGN_UP.replace('{ signUp', '{ #\0\n signUp'), { x: EVIL, input }),
  ...['\r', '\u2028', '\u2029', '\u0085', '\v', '\f'].map((end) =>
    of(
      `a comment that ends with ${escape(end)}`,
      `mutation ${IN} { # x ${end} signUp(input: $input) { email }\n }`,
      {
        input,
      },
    ),
  ),
  of(
    'between strings, for lexers without blocks',
    `mutation ${IN} { a: invite(tags: [""" "]) { email } signUp(input: $input) { email } b: invite(tags: [" """]) { email } }`,
    { input },
  ),
  of(
    'behind strings, for lexers without blocks',
    `mutation ($input: SignUpInput, $x: SignUpInput) { invite(tags: [""" " """]) { email } b: invite(tags: ["]) { email } signUp(input: $x) { email } c: invite(tags: ["]) { email } }`,
    { input, x: { email: EVIL } },
  ),
  of(
    'behind a string with a mark of a comment',
    `mutation ${IN} { invite(tags: ["#"]) { email } signUp(input: $input) { email } }`,
    { input },
  ),
  of(
    'behind an escaped quote',
    `mutation ${IN} { invite(tags: ["\\"#"]) { email } signUp(input: $input) { email } }`,
    {
      input,
    },
  ),
  of('a mark within the name', SIGN_UP.replace('{ signUp', '{ sign\ufeffUp'), { input }),
  of('a lookalike', SIGN_UP.replace('{ signUp', '{ ｓignUp'), { input }),
  of('a list of documents', [SIGN_UP], { input }),
  of('no email', 'mutation { signUp { email } }', {}),
  of('a document in another member', '', { input }, { document: SIGN_UP, id: 'stored-sign-up' }),
];

const DECOY = '{ __typename }';
const STORED = 'stored-sign-up';

/** With its hash a client stores it at servers with automatic persisted queries, and later sends the hash alone. */
export const TO_BE_STORED = {
  query: 'mutation Stored($input: SignUpInput) { signUp(input: $input) { email } }',
  extensions: { persistedQuery: { version: 1, sha256Hash: '' } },
};
TO_BE_STORED.extensions.persistedQuery.sha256Hash = hash('sha256', TO_BE_STORED.query);

/** Stored documents, by every name for them, with nothing or a decoy in the place of the document. */
export const STORED_OPERATIONS: readonly Operation[] = [
  ...['id', 'documentId', 'doc_id', 'queryId', 'operationId', 'hash'].map((name) => ({ [name]: STORED })),
  { extensions: { persistedQuery: { version: 1, sha256Hash: STORED } } },
  { extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: STORED } }) },
  { extensions: TO_BE_STORED.extensions },
  { query: STORED },
  { query: STORED, persisted: true },
].flatMap((names) =>
  [{}, { query: '' }, { query: null }, { query: DECOY }, { operationName: 'LogIn', query: DECOY }].map(
    (decoy) => ({
      id: `stored as ${JSON.stringify(names)} beside ${JSON.stringify(decoy)}`,
      members: { variables: { input }, ...decoy, ...names },
    }),
  ),
);
