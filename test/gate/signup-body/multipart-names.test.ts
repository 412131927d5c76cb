import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { FirstLook } from '../../../src/gate/signup-body/first-look.ts';
import { MultipartReader } from '../../../src/gate/signup-body/multipart-reader.ts';
import { route } from '../../helpers/routes.ts';
import { MULTIPART, read } from './read-hostile-body.ts';

const GOOD = 'a@corp.example';
const encoded = (name: string, charset = 'utf-8', bytes: Buffer = Buffer.from(name)) =>
  `=?${charset}?B?${bytes.toString('base64')}?=`;

function part(disposition: string, value: string): string {
  return `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
}

/** A form with a second part that some reader takes for the email, before or after the email itself. */
function forms(disposition: string): readonly Buffer[] {
  const other = part(disposition, 'bad@burner.example');
  const own = part('name="email"', GOOD);
  return [other + own, own + other].map((parts) => Buffer.from(`${parts}--X--\r\n`));
}

for (const [reader, dispositions] of [
  [
    'Tomcat and ASP.NET Core decode',
    [
      `name="${encoded('email')}"`,
      `name="${encoded('email').replace('B', 'b')}"`,
      `name=${encoded('email')}`,
      'name="=?utf-8?Q?em=61il?="',
      'name=" =?utf-8?Q?em?= =?utf-8?Q?ail?="',
      `name="${encoded('email').slice(0, -2)}"`,
      `name="${encoded('email', 'iso-8859-1')}"`,
      `name="${encoded('email', 'UTF-16', Buffer.from('\ufeffemail', 'utf16le'))}"`,
      // EBCDIC.
      `name="${encoded('email', 'Cp037', Buffer.from('8594818993', 'hex'))}"`,
      `name="${encoded('email')}"; filename=""`,
    ],
  ],
  [
    'Java and Python trim',
    ['name="email\x1c"', 'name="\x01email"', 'name="email\u0085"', 'name="email\x7f"'],
  ],
  [
    'Rack, Go and Python read up to its first character that needs quotes',
    ['name=email:', 'name=email/x', 'name=email{}', 'name=email\x1c', 'name=email\u00a0', 'name=email@x'],
  ],
  [
    'aiohttp drops the first slashes of',
    ['name="/email"', 'name="//email"', 'name="\\\\/email"', 'name="/\\email"'],
  ],
  [
    'HTTP::Body of Perl searches the text after a space for',
    ['name="x";filename=" name=email"', 'name="x"; filename="a name=b name=email"', 'name="x name=email"'],
  ],
  [
    'Netty cleans',
    ['name="email:"', 'name=":email"', 'name="email,"', 'name=";email"', 'name="=email"', 'name=": EMAIL ,"'],
  ],
  [
    'WSAPI finds a disposition in another field of',
    [
      'name="x"\r\nContent-Type:text/plain; content-disposition: form-data; name="email"',
      'name="x"\r\nContent-ID:<a> content-disposition: form-data; name="email"',
      'name="x"; filename="y"\r\nMIME-Version:1.0 content-disposition: form-data; name="email"',
    ],
  ],
  [
    'milliparsec and parse-multipart-data take the first parameter of',
    [
      'filename="email"; name="x"\r\nContent-Type: text/plain',
      'filename=email; name=x\r\nContent-Type: text/plain',
      'filename="email;"; name="x"',
      'filename="email=x"; name="x"',
    ],
  ],
  ['h3 and others split', ['name="email;"', 'name="email;x"', 'name="email="', 'name="email;"; filename=""']],
] as const) {
  test(`a second part is refused whose name is the email when ${reader} it`, async (t) => {
    for (const disposition of dispositions)
      for (const body of forms(disposition)) t.is(await read({ type: MULTIPART, body }), 400, disposition);
  });
}

test('names that are not the email in any reading are accepted', async (t) => {
  for (const disposition of [
    `name="${encoded('pr\u00e9nom')}"`,
    'name="pr\u00e9nom"',
    'name=pr.nom-1',
    'name="terms;x=1"',
    'name="user[name]"',
    'name="filter[name=x]"',
    `name=avatar; filename="${encoded('me.png')}"; filename*=utf-8''me.png`,
    'name="avatar"; filename="name=me name=you.png"',
    'name="avatar"; filename="me.png"\r\nContent-ID: <name=me@corp.example>\r\nMIME-Version: 1.0',
    'name="avatar"; filename="me.png"\r\nContent-Type: image/png; name="me.png"',
    'name="Question 1:"',
    'filename="me.png"; name="avatar"',
    'name="avatar"; filename="email"',
  ])
    for (const body of forms(disposition)) t.is(await read({ type: MULTIPART, body }), GOOD, disposition);
});

test('an email is refused in a part that some reader decodes by another charset', async (t) => {
  const typed = (type: string) =>
    read({
      type: MULTIPART,
      body: Buffer.from(`${part(`name="email"\r\nContent-Type: ${type}`, GOOD)}--X--\r\n`),
    });
  for (const type of [
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain;charset="UTF-8"',
    'text/plain; charset=us-ascii',
  ])
    t.is(await typed(type), GOOD, type);
  for (const type of [
    'text/plain; charset=IBM037',
    // CherryPy takes the last one, and Jetty no text in quotes.
    'text/plain; charset=utf-8; charset=IBM037',
    'text/plain; x=";charset=utf-8"; charset=IBM037',
    "text/plain; charset*=utf-8''IBM037",
    "text/plain; charset='IBM037'",
  ])
    t.is(await typed(type), 400, type);
});

test('an encoded word is the field of the route when it is that name', async (t) => {
  const [body = Buffer.alloc(0)] = forms(`name="${encoded('\u00e9mail')}"`);
  t.is(await read({ type: MULTIPART, body, route: { email: ['\u00e9mail'] } }), 400);
});

test('an encoded or broken name may hide the word of a condition', (t) => {
  const mayBeSignup = (name: string) => {
    const candidate = {
      route: route('/account', { when: { action: { exists: true } } }),
      pathVariant: '/account',
      source: 'the target',
      bodyCondition: 'none' as const,
    };
    const budget = createWorkBudget(20_000_000);
    const look = new FirstLook([candidate], { contentTypes: [MULTIPART], query: [], rawHeaders: [], budget });
    look.write(Buffer.from(`${part(`name="${name}"`, 'x')}--X--`));
    return look.mayBeSignup;
  };
  t.true(mayBeSignup(encoded('action')));
  t.true(mayBeSignup('=?utf-8?q?=61ction?='));
  // PHP
  t.true(mayBeSignup('act\r\nion'));
  t.false(mayBeSignup('a=?b?c'));
});

test('a file name with more names in it than any real one is refused', async (t) => {
  for (const body of forms(`name="x"; filename="${' name=x'.repeat(20)}"`))
    t.is(await read({ type: MULTIPART, body }), 400);
});

test('a text is refused that holds the boundary without its single quotes, as Jetty reads it', async (t) => {
  for (const [sent, boundary, inner] of [
    [`'X'`, `'X'`, 'X'],
    [`''X''`, `''X''`, 'X'],
    [`''X''`, `''X''`, `'X'`],
    [`"'X'"`, `'X'`, 'X'],
  ] as const) {
    const type = `multipart/form-data; boundary=${sent}`;
    const formWith = (text: string) =>
      Buffer.from(
        `${part('name="email"', GOOD)}${part('name="x"', '')}--X--`
          .replaceAll('--X', `--${boundary}`)
          .replace('x"\r\n\r\n', `$&${text}`),
      );
    const hidden = `${part('name="email"', 'bad@burner.example')}--X--`.replaceAll('--X', `--${inner}`);
    t.is(await read({ type, body: formWith(hidden) }), 400, sent);
    t.is(await read({ type, body: formWith('--x') }), GOOD, sent);
  }
});

test('a text is refused that holds the boundary with its quotes, as WSAPI reads it', async (t) => {
  const inner = part('name="email"', 'bad@burner.example').replace('--X', '--"X"');
  const body = Buffer.from(
    `${part('name="email"', GOOD)}${part('name="x"', `y\r\n${inner}--"X"--`)}--X--\r\n`,
  );
  t.is(await read({ type: 'multipart/form-data; boundary="X"', body }), 400);
  t.is(await read({ type: 'multipart/form-data; boundary="X"; charset=utf-8', body }), 400);
  const reader = new MultipartReader({
    boundary: 'X',
    isQuoted: true,
    places: [['email']],
    limitBytes: 1_000,
    budget: createWorkBudget(1_000_000),
  });
  t.throws(() => {
    for (const byte of body) reader.write(Buffer.of(byte));
  });
});
