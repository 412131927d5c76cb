import test from 'ava';
import { createBodyInspector, mayHoldMailbox } from '../../../src/gate/watch/signup-like-fields.ts';
import { FORM, JSON_TYPE, MULTIPART, read } from '../signup-body/read-hostile-body.ts';

const part = (name: string, value: string, more = '') =>
  `--X\r\nContent-Disposition: form-data; name=${name}${more}\r\n\r\n${value}\r\n`;

const SIGNUPS: readonly [what: string, body: string, email: string][] = [
  ['a form with the field of a route', 'name=Ann&email=ann%40example.com', 'email'],
  ['JSON with the field of a route', '{"email":"ann@example.com"}', 'email'],
  ['JSON with the field further in', '{"user":{"email":"ann@example.com"}}', 'user.email'],
  ['GraphQL', '{"query":"mutation","variables":{"email":"ann@example.com"}}', 'variables.email'],
  ['a form with brackets', 'user[email]=ann@example.com', 'user[email]'],
  ['an address and a password under other names', '{"login":"ann@example.com","passphrase":"x"}', 'login'],
  ['the password first', 'pwd=x&contact=ann%40example.com', 'contact'],
  ['capitals', '{"Email":"ann@example.com"}', 'Email'],
  ['multipart', `${part('"name"', 'Ann')}${part('"email"', 'ann@example.com')}--X--\r\n`, 'email'],
  ['multipart without quotes', `${part('email', 'ann@example.com')}--X--\r\n`, 'email'],
  [
    'multipart with a file first',
    `${part('"file"', 'a@b\r\n', '; filename="a.png"')}${part('"email"', 'ann@example.com')}--X--\r\n`,
    'email',
  ],
];

for (const [what, body, email] of SIGNUPS) {
  test(`${what} looks like a signup, and a route finds its email`, async (t) => {
    const bytes = Buffer.from(body);
    const type = body.startsWith('{') ? JSON_TYPE : body.startsWith('--') ? MULTIPART : FORM;
    t.is(await read({ type, body: bytes, route: { email: [email] } }), 'ann@example.com');
    t.true(mayHoldMailbox(bytes));
    t.deepEqual(createBodyInspector(['account.email'])(bytes), { email, isReadable: true });
  });
}

const XML_RPC =
  '<methodCall><params><param><value><struct><member><name>email</name><value><string>ann@example.com</string></value></member></struct></value></param></params></methodCall>';
const HTTP_PART =
  '--b\r\nContent-Type: application/http\r\n\r\nPOST /users HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{"email":"ann@example.com"}\r\n--b--\r\n';
const MUTATION = 'mutation { signUp(email: "ann@example.com", name: "Ann") { id } }';

const UNREADABLE: readonly [what: string, body: string, email: string][] = [
  ['a batch', '[{"variables":{"email":"ann@example.com"}}]', 'variables.email'],
  ['a list of requests', '{"requests":[{"body":{"email":"ann@example.com"}}]}', 'requests.body.email'],
  ['a name that no route could have', '{"a b<c>":"ann@example.com","password":"x"}', 'email'],
  ['SOAP', '<Envelope><Body><r:email>ann@example.com</r:email></Body></Envelope>', 'email'],
  ['an attribute of XML', '<user login="ann@example.com" password="x"/>', 'login'],
  ['XML-RPC', XML_RPC, 'email'],
  ['a property list', '<dict><key>email</key><string>ann@example.com</string></dict>', 'email'],
  ['YAML', 'name: Ann\nemail: ann@example.com\n', 'email'],
  ['TOML', 'name = "Ann"\nemail = "ann@example.com"\n', 'email'],
  ['JSON with comments', '{/* me */ "email": "ann@example.com"}', 'email'],
  ['JSON that is cut off', '{"email":"ann@example.com', 'email'],
  ['lines of JSON', '{"a":1}\n{"contact":"ann@example.com","pass":"x"}', 'contact'],
  ['a document of GraphQL', MUTATION, 'email'],
  ['the same without a keyword', '{ signUp(login: "ann@example.com", password: "x") { id } }', 'login'],
  ['the same in JSON', JSON.stringify({ query: MUTATION }), 'query.email'],
  ['the same in a form', new URLSearchParams({ query: MUTATION }).toString(), 'query.email'],
  ['JSON inside JSON', JSON.stringify([{ body: '{"email":"ann@example.com"}' }]), 'body.email'],
  ['JSON that is cut off inside JSON', '{"a":"{\\"email\\":\\"ann@example.com\\","}', 'a.email'],
  ['JSON inside a form', '_payload=%7B%22email%22%3A%22ann%40example.com%22%7D', '_payload.email'],
  ['JSON inside multipart', `${part('"data"', '{"email":"ann@example.com"}')}--X--`, 'data.email'],
  ['a request inside multipart', HTTP_PART, 'email'],
];

for (const [what, body, email] of UNREADABLE) {
  test(`${what} looks like a signup that a route cannot find`, (t) => {
    t.deepEqual(createBodyInspector(['account.email'])(Buffer.from(body)), { email, isReadable: false });
  });
}

test('long JSON and JSON after a byte order mark look like signups that a route finds', (t) => {
  const inspect = createBodyInspector(['email']);
  const long = JSON.stringify({ email: 'ann@example.com', picture: 'x'.repeat(50_000) });
  t.deepEqual(inspect(Buffer.from(long)), { email: 'email', isReadable: true });
  const marked = Buffer.from('\ufeff{"user":{"email":"ann@example.com"}}');
  t.deepEqual(inspect(marked), { email: 'user.email', isReadable: true });
});

const OTHERS: readonly [what: string, body: string][] = [
  ['a search', 'q=email'],
  ['an address without a password, under another name', 'to=ann%40example.com&text=Hello'],
  ['a text that mentions an address', '{"text":"write to ann@example.com, please"}'],
  ['an empty password', 'login=ann%40example.com&password='],
  ['the field without an address', '{"email":"none"}'],
  ['a file in a form', `${part('"list"', '{"email":"ann@example.com"}', '; filename="a.json"')}--X--`],
  ['a text in XML that mentions an address', '<p>write to ann@example.com, <b>please</b></p>'],
  ['an empty password in XML', '<a login="ann@example.com" password=""/>'],
  ['a comment in a form', 'text=my+email%3A+ann%40example.com'],
  ['nothing', ''],
  ['bytes', '\u0000\u0001@\u0002'],
];

for (const [what, body] of OTHERS) {
  test(`${what} does not look like a signup`, (t) => {
    t.is(createBodyInspector(['email'])(Buffer.from(body)), null);
  });
}

test('a check is bounded, whatever the body repeats', (t) => {
  const inspect = createBodyInspector(['email']);
  const repeated = [
    ' name="'.repeat(20_000),
    `--X\r\n${' name="a"\r\n\r\n'.repeat(10_000)}`,
    '{"a":'.repeat(3_000),
    `{${'"a":"x@y",'.repeat(10_000)}"b":1}`,
    'a@b&'.repeat(30_000),
    '@'.repeat(100_000),
    'pass@'.repeat(4_000),
    `<a>${'</aaaaaaaaaaaaaaaa> <bbbbbbbbbbbbbbbb> <c>a@b'.repeat(400)}`,
    Array(190)
      .fill(`a={"@":"${'x'.repeat(70)}"`)
      .join('&'),
    JSON.stringify(Array(150).fill(`{"@":${'['.repeat(45)}${']'.repeat(45)}}`)),
    '['.repeat(16_000) + ']'.repeat(16_000),
  ];
  for (const body of repeated) t.is(inspect(Buffer.from(body)), null);
});
