import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { InnerParts } from '../../../src/gate/signup-body/inner-parts.ts';
import { read } from './read-hostile-body.ts';

const GOOD = 'a@corp.example';

interface Form {
  readonly boundary: string;
  readonly content: string;
  /** The parameters of the part with the content. */
  readonly disposition?: string;
}

/** Reads a form with this content in a part, before and after the email. */
async function readForms({ boundary, content, disposition = 'name="note"' }: Form) {
  const part = (parameters: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${value}\r\n`;
  const parts = [part(disposition, content), part('name="email"', GOOD)];
  const type = `multipart/form-data; boundary=${boundary.includes('=') ? `"${boundary}"` : boundary}`;
  return Promise.all(
    [parts, parts.toReversed()].map((all) =>
      read({ type, body: Buffer.from(`${all.join('')}--${boundary}--\r\n`) }),
    ),
  );
}

const inner = (boundary: string, name = 'name="email"') =>
  `1\r\n${boundary}\r\nContent-Disposition: form-data; ${name}\r\n\r\nb@burner.example\r\n${boundary}\r\n`;

for (const [reader, boundary, contents] of [
  ['Total.js, which ignores the hyphens before it', 'XyZ', [inner('XyZ'), inner('??XyZ'), inner('-XyZ')]],
  [
    'Total.js, which drops NULs',
    'XyZ',
    [inner('XyZ', 'name="em%00ail"'), inner('XyZ', 'name="e\\u0000mail"')],
  ],
  [
    'parse-multipart-data, which drops line ends inside it',
    'XyZ',
    [inner('--Xy\nZ'), inner('-\r-XyZ', 'x="email"'), inner('--X\n\n\ry\nZ', 'a=email')],
  ],
  ['milliparsec, which makes a pattern of it', 'a.b', [inner('--axb'), inner('--a-b')]],
  [
    'milliparsec, when the pattern does not match itself',
    'a+b',
    [inner('--aab'), 'x name="email"\r\nb@burner.example'],
  ],
] as const) {
  test(`a content is refused that resembles the boundary for ${reader}`, async (t) => {
    for (const content of contents)
      for (const disposition of ['name="note"', 'name="f"; filename="f.txt"'])
        t.deepEqual(await readForms({ boundary, content, disposition }), [400, 400], content);
  });
}

test('a content without another email is accepted', async (t) => {
  for (const [boundary, content] of [
    ['XyZ', inner('ABC')],
    ['XyZ', inner('XyZ', 'name="other_email"')],
    ['XyZ', 'XyZ utm_medium=email'],
    ['*****', 'a password: *****, utm_medium=email'],
    ['----=_Part_0_12.34', 'utm_source=x&utm_medium=email'],
    ['dart-http-boundary-a+b.c', '<meta name="description" content="email">'],
    ['dart-http-boundary-a+b.c', 'the name = my email'],
  ] as const)
    t.deepEqual(await readForms({ boundary, content }), [GOOD, GOOD], content);
});

test('a name is found in content of any pieces', (t) => {
  const content = Buffer.from(`${'x'.repeat(2_000)}${inner('--Xy\r\nZ')}`);
  for (const pieceSize of [1, 7, 100, 3_000]) {
    const budget = createWorkBudget(100_000_000);
    const parts = new InnerParts({ boundary: 'XyZ', places: [['email']], budget });
    for (let i = 0; i < content.length; i += pieceSize) parts.write(content.subarray(i, i + pieceSize));
    t.true(parts.take().includes('email'), `${pieceSize}`);
    t.deepEqual(parts.take(), []);
  }
});

test('a content with many names is refused', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => inner('XyZ', `name="email${i}"`));
  t.deepEqual(await readForms({ boundary: 'XyZ', content: names.join('') }), [400, 400]);
});

test('an email is refused that ends earlier for a reader that finds the boundary in it', async (t) => {
  const email = async (boundary: string, value: string) => {
    const body = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="email"\r\n\r\n${value}\r\n--${boundary}--\r\n`,
    );
    return read({
      type: `multipart/form-data; boundary=${/[?()]/.test(boundary) ? `"${boundary}"` : boundary}`,
      body,
    });
  };
  // Total.js reads `b@burner.example`, and milliparsec too.
  t.is(await email('.gmail.com', 'b@burner.example.abc.gmail.com'), 400);
  t.is(await email('a.b', 'b@burner.example--axb.gmail.com'), 400);
  t.is(await email('a?b', 'b@burner.example--b.gmail.com'), 400);
  t.is(await email('?b', 'b@burner.example-b.gmail.com'), 400);
  t.is(await email('(a)?b', 'b@burner.example--b.gmail.com'), 400);
  for (const boundary of [
    '*****',
    'dart-http-boundary-a+b.c',
    '----WebKitFormBoundary1',
    '----_Part_0_12.34',
  ])
    for (const value of ['a-b@xn--mnchen-3ya.example', 'a--b@corp.example', 'a.b@corp.example'])
      t.is(await email(boundary, value), value, boundary);
});
