import test from 'ava';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { createWorkBudget } from '../../../../src/gate/budgets.ts';
import {
  createDocumentReader,
  isDocument,
  mayName,
} from '../../../../src/gate/signup-body/graphql/document.ts';
import { ProblemError } from '../../../../src/http/problem.ts';
import { rounds } from '../../../helpers/rounds.ts';

const named = (text: string) => mayName(createDocumentReader(createWorkBudget(100_000_000))(text), 'signup');

for (const text of [
  '{ signUp }',
  '{ SIGNUP }',
  'query signUp { a }',
  '{ a: signUp(x: 1) }',
  '{ a,signUp,b }',
  '# a\r signUp',
  '"a" signUp "b"',
  '"""a""" signUp """b"""',
  '"\\"" signUp "',
  '$ signUp',
  '{ a(x: -1.5e+3) signUp }',
]) {
  test(`a document that holds the name as a name counts: ${text}`, (t) => {
    t.true(named(text));
  });
}

for (const [what, text] of [
  ['an unclear end of a line in a comment', '{ a # b \u2028 signUp\n}'],
  ['a vertical tab in a comment', '{ a # b \v signUp\n}'],
  ['a quote within a block', '{ a(b: [""" "]) signUp c(d: [" """]) }'],
  ['an escaped quote within a block', '{ a(b: """ \\""" signUp """) }'],
  ['a string that does not end', '{ a(b: " signUp'],
  ['an unknown escape', '{ a(b: "\\x signUp") }'],
  ['a number that runs into the name', '{ a(b: 1signUp: 2) }'],
  ['a mark within the name', '{ sign\ufeffUp }'],
  ['an unknown character', '{ a; # signUp\n }'],
] as const) {
  test(`where lexers may disagree, the name counts anywhere: ${what}`, (t) => {
    t.true(named(text));
  });
}

for (const text of [
  '{ signUpOpen }',
  '{ mySignUp }',
  '# signUp\n{ a }',
  '{ a(b: "signUp") }',
  '{ a(b: """\n  signUp\n""") }',
  'query ($signUp: Int) { a(b: $signUp) }',
  '{ a } # signUp 🎉',
  '',
]) {
  test(`the name in a comment, a string, a variable or a longer name does not count: ${JSON.stringify(text)}`, (t) => {
    t.false(named(text));
  });
}

test('a hash, a number or nothing is no document', (t) => {
  const read = createDocumentReader(createWorkBudget(100_000_000));
  for (const text of ['', 'a', 'd41d8cd98f00b204e9800998ecf8427e', '12', '{6f9619ff-8b86}', 'query'])
    t.false(isDocument(read(text)), text);
  t.true(isDocument(read('{a}')));
  t.true(isDocument(read('query A($b: Int = 1) @c { d(e: [1, 2.5], f: {g: null}) ...H }')));
});

test('a NUL is refused anywhere, and so are documents that are too long together', (t) => {
  const status = (work: () => unknown) => t.throws(work, { instanceOf: ProblemError })?.status;
  t.is(
    status(() => createDocumentReader(createWorkBudget(100_000_000))('{a} #\0')),
    400,
  );
  t.is(
    status(() => named(`{signUp ${'a '.repeat(25_000)}}`)),
    413,
  );
  const read = createDocumentReader(createWorkBudget(100_000_000));
  const document = `{signUp ${'a '.repeat(20_000)}}`;
  t.is(
    status(() => [1, 2, 3, 4, 5, 6].map(() => mayName(read(document), 'signup'))),
    413,
  );
  t.false(named(`{${'a '.repeat(1_000_000)}}`));
});

/** Pieces from which lexers can be led astray. */
const PIECES = [
  ...[
    'signUp',
    'SignUp',
    '$signUp',
    'a',
    'x1',
    '1',
    '-2.5e3',
    '"',
    '""',
    '"""',
    '\\"',
    '\\"""',
    '\\',
    '#',
    '\n',
    '\r',
  ],
  ...[
    '\t',
    ' ',
    ',',
    ':',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '!',
    '$',
    '@',
    '&',
    '|',
    '...',
    '.',
    '\ufeff',
    '\u2028',
    'é',
    '\u007f',
  ],
];

test('every name that graphql-js reads is found', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      return !isRead(text) || named(text);
    }),
    { numRuns: rounds(5_000), seed: 20_261_121 },
  );
  t.pass();
});

/** Up to where graphql-js gives up, without variables. */
function isRead(text: string): boolean {
  const lexer = new Lexer(new Source(text));
  try {
    for (let last = ''; ; ) {
      const token = lexer.advance();
      if (token.kind === TokenKind.EOF) return false;
      if (token.kind === TokenKind.NAME && token.value.toLowerCase() === 'signup' && last !== '$')
        return true;
      last = token.kind;
    }
  } catch {
    return false;
  }
}
