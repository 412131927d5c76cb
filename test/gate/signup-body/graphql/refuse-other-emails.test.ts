import test from 'ava';
import { GOOD, input, NESTED, read, SIGN_UP } from './read-operation.ts';

const FLAT = ['variables.email'];

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
