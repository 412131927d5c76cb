import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { BodyCondition } from '../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const FORM = 'application/x-www-form-urlencoded';
const EMAIL = 'a@b.co';

interface Sent {
  readonly body: string | Buffer;
  readonly type: string;
  readonly route?: RouteConfig;
  readonly bodyCondition?: BodyCondition;
}

/** Reads a body that counts only when it has the email: that of a `PUT`. */
async function read({ body, type, route: given, bodyCondition = 'email field' }: Sent) {
  const signupRoute = given ?? route('/signup', { methods: null });
  const bytes = Buffer.from(body as string);
  const head = { target: '/signup', rawHeaders: [], contentTypes: [type], contentEncodings: [] };
  const request = { ...head, bytes, budget: createWorkBudget(4_000_000 + bytes.length * 18) };
  const candidate = { route: signupRoute, pathVariant: '/signup', source: 'the target', bodyCondition };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup === null ? 'passes' : (signup.email ?? 'no email');
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

/** The first byte of a short text in a binary notation holds its kind and its length. */
const prefixed = (nameKind: number, valueKind: number) =>
  Buffer.concat([
    Buffer.from([nameKind + 5]),
    Buffer.from('email'),
    Buffer.from([valueKind + EMAIL.length]),
    Buffer.from(EMAIL),
  ]);

/** Bodies that some reader takes for an object with the email, whatever type they are sent with. */
const NOTATIONS: Readonly<Record<string, string | Buffer>> = {
  'JSON after a comment': `/*x*/{"email":"${EMAIL}"}`,
  'JSON after a comment of a line': `// x\n{"email":"${EMAIL}"}`,
  'JSON after a comment with a number sign': `# x\n{"email":"${EMAIL}"}`,
  'JSON with comments around the name': `/**/{/**/"email"/*x*/:"${EMAIL}"}`,
  'JSON after a guard against scripts': `)]}'\n{"email":"${EMAIL}"}`,
  'JSON inside a call': `take({"email":"${EMAIL}"})`,
  'a name without quotes': `take({email:'${EMAIL}'})`,
  'a name in single quotes': `take({'email':'${EMAIL}'})`,
  'an escaped letter': `/**/{"\\x65mail":"${EMAIL}"}`,
  YAML: `name: x\nemail: ${EMAIL}\n`,
  'YAML in one line': `email: ${EMAIL}`,
  'YAML in a list': `--- \n- email: ${EMAIL}\n`,
  'YAML with a tag': `name: x\n!!str email: ${EMAIL}\n`,
  'YAML with a name on its own line': `? email\n: ${EMAIL}\n`,
  TOML: `name = "x"\nemail = "${EMAIL}"\n`,
  XML: `<user><email>${EMAIL}</email></user>`,
  'XML with a namespace': `<?xml version="1.0"?>\n<u:user xmlns:u="x"><u:email\n>${EMAIL}</u:email></u:user>`,
  'an attribute of XML': `<user id="1" email = '${EMAIL}'/>`,
  'XML in UTF-16': Buffer.from(`<user><email>${EMAIL}</email></user>`, 'utf16le'),
  MessagePack: Buffer.concat([Buffer.from([0x81]), prefixed(0xa0, 0xa0)]),
  CBOR: Buffer.concat([Buffer.from([0xa1]), prefixed(0x60, 0x60)]),
  bencode: `d5:email${EMAIL.length}:${EMAIL}e`,
};

for (const [notation, body] of Object.entries(NOTATIONS)) {
  test(`another method with the email in another notation is refused: ${notation}`, async (t) => {
    for (const type of ['text/plain', 'application/octet-stream', 'application/xml', 'application/yaml'])
      t.is(await read({ body, type }), 415, type);
    const status = await read({ body, type: FORM });
    t.true(typeof status === 'number' && status >= 400, `a form: ${status}`);
  });
}

test('a form that begins as JSON or XML is no form, also at an address with a condition', async (t) => {
  const register = route('/signup', { when: { action: 'register' } });
  for (const body of [
    `/*x*/{"action":"register","email":"${EMAIL}"}`,
    `//x\n{"action":"register","email":"${EMAIL}"}`,
    `)]}'\n{"action":"register","email":"${EMAIL}"}`,
    `<x><action>register</action><email>${EMAIL}</email></x>`,
  ])
    t.is(await read({ body, type: FORM, route: register, bodyCondition: 'none' }), 415, body);
});

/** The form has an honest email, and some reader that ignores the type finds another one. */
const DISGUISED: Readonly<Record<string, string>> = {
  'a comment of YAML': '#&email=a%40b.co&x\nemail: c@d.co\n',
  'a comment of YAML after a value': 'email: c@d.co #&email=a%40b.co',
  'a quoted key of YAML': '"&email=a%40b.co&": x\nemail: c@d.co\n',
  'a quoted value of YAML': 'x: "&email=a%40b.co&"\nemail: c@d.co\n',
  'a key of YAML on its own line': "x: '&email=a%40b.co&'\n? email\n: c@d.co\n",
  'an escaped key of YAML': 'x: \'&email=a%40b.co&\'\n"\\x65mail": c@d.co\n',
  'an anchor of YAML': '&x&email=a%40b.co& \nemail: c@d.co\n',
  'YAML in one line': '--- {x: "&email=a%40b.co&y=", email: c@d.co}',
  Hjson: 'email:c@d.co\nx:&email=a%40b.co&',
  'Hjson after another key': 'a&b:1\nemail:c@d.co\nx:&email=a%40b.co&',
  'Hjson on one line': 'x:1,email:"c@d.co"#&email=a%40b.co&',
  'YAML with a directive': '%YAML 1.1 #&email=a%40b.co&\n---\nemail: c@d.co\n',
  'a comment before JSON': '#&email=a%40b.co&x=\n{"email":"c@d.co"}',
};

for (const [notation, body] of Object.entries(DISGUISED)) {
  test(`a form with an email is refused when it also is ${notation}`, async (t) => {
    const conditional = route('/signup', { when: { email: { exists: true } } });
    for (const bodyCondition of ['none', 'email field'] as const) {
      const status = await read({ body, type: FORM, bodyCondition });
      t.true(status === 415 || status === 400, `${bodyCondition}: ${status}`);
    }
    t.true(
      [400, 415].includes(
        (await read({ body, type: FORM, route: conditional, bodyCondition: 'none' })) as number,
      ),
    );
  });
}

test('YAML in place of a form is refused at an address with a condition', async (t) => {
  const register = route('/signup', { when: { action: 'register' } });
  const body = 'action: register\nemail: c@d.co\n';
  t.is(await read({ body, type: FORM, route: register, bodyCondition: 'none' }), 415);
});

test('a multipart form whose boundary begins a document of YAML is refused', async (t) => {
  const part = (name: string, value: string) =>
    `---\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${part('x', 'email: c@d.co')}${part('email', EMAIL)}-----\r\n`;
  t.is(await read({ body, type: 'multipart/form-data; boundary=-', bodyCondition: 'none' }), 415);
});

test('a form that a client wrote without escapes is read', async (t) => {
  for (const rest of [
    'note=see: below',
    'note={"email":"c@d.co"}',
    'url=https://x.example/?email:c',
    'text=Write to me:\nmy address is below',
    'text=fields: name,email',
    'freeemail=yes: please',
  ])
    for (const body of [`email=a@b.co&${rest}`, `${rest}&email=a@b.co`])
      t.is(await read({ body, type: FORM, bodyCondition: 'none' }), EMAIL, body);
});

test('another method with a charset that hides the names of fields is refused, whatever its type', async (t) => {
  const ebcdic = Buffer.from('c07f8594818993 7f7a7f817c824b83967fd0'.replaceAll(' ', ''), 'hex');
  for (const charset of ['cp037', 'utf-7', '"IBM500"', 'iso-2022-jp'])
    t.is(await read({ body: ebcdic, type: `text/plain; charset=${charset}` }), 415, charset);
  t.is(await read({ body: 'hello', type: 'text/plain; charset=iso-8859-1' }), 'passes');
});

test('another method with a text, a table or a page that mentions an email passes', async (t) => {
  for (const [type, body] of [
    ['text/plain', 'write to my email, please: the address is below'],
    ['text/csv', `name,email,phone\r\nAda,${EMAIL},1\r\n`],
    ['text/csv', `"name","email"\r\n"Ada","${EMAIL}"\r\n`],
    ['text/csv', `email\n${EMAIL}\n`],
    ['text/csv', `${EMAIL},name\r\n`.repeat(50_000)],
    ['text/markdown', '# Email\n\nAn email-address has an @.'],
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\nemail\0', 'latin1')],
    ['text/plain', 'word '.repeat(200_000)],
    [FORM, 'newsletter=email&text=a%3Aemail%3Ab'],
    [FORM, 'url=https://x.example/email/1&note=email'],
  ] as const)
    t.is(await read({ body, type }), 'passes', `${type} ${body.toString('latin1').slice(0, 40)}`);
});

test('another method with JSON or a form inside a JSON text is refused when it has the email', async (t) => {
  const json = JSON.stringify({ name: 'Ada', email: EMAIL });
  for (const text of [json, ` \n${json}`, `[${json}]`, `name=Ada&email=${EMAIL}`, '{"\\u0065mail":"a@b.co"}'])
    t.is(await read({ body: JSON.stringify(text), type: 'application/json' }), 400, text);
  for (const text of ['write to my email, please', EMAIL, '{"name":"Ada"}', ''])
    t.is(await read({ body: JSON.stringify(text), type: 'application/json' }), 'passes', text);
});
