import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { ORDINARY_EMAIL, ORDINARY_SIGNUPS } from '../../helpers/ordinary-signups.ts';
import { rounds } from '../../helpers/rounds.ts';
import { route } from '../../helpers/routes.ts';

interface Sent {
  readonly type?: string | readonly string[];
  readonly encoding?: string | readonly string[];
  readonly target?: string;
  readonly route?: Partial<RouteConfig>;
}

async function read(
  body: string | Buffer,
  { type = 'application/json', encoding = [], target = '/signup', route: changed = {} }: Sent = {},
) {
  const candidate = {
    route: route('/signup', changed),
    pathVariant: '/signup',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  const request = {
    target,
    rawHeaders: [],
    contentTypes: [type].flat(),
    contentEncodings: [encoding].flat(),
    budget: createWorkBudget(20_000_000),
    bytes: Buffer.isBuffer(body) ? body : Buffer.from(body),
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup
      ? { email: signup.email, ...(signup.otherEmails.length > 0 && { others: signup.otherEmails }) }
      : null;
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=X';
const part = (name: string, value: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** A gzip member with a comment in its head (RFC 1952 section 2.3.1). */
function withComment(member: Buffer, comment: string): Buffer {
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 0x10;
  return Buffer.concat([head, Buffer.from(`${comment}\0`, 'latin1'), member.subarray(10)]);
}

const WHEN_EMAIL: Partial<RouteConfig> = { when: { email: { exists: true } } };

type Case = readonly [what: string, body: string | Buffer, sent: Sent, expected: unknown];

const ACCEPTED: readonly Case[] = [
  ['JSON', '{"email":"a@b.co","x":[1]}', {}, 'a@b.co'],
  ['JSON with charset', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-8' }, 'a@b.co'],
  ['a +json type', '{"email":"a@b.co"}', { type: 'application/vnd.api+json' }, 'a@b.co'],
  ['white space around the address', '{"email":" a@b.co\\n"}', {}, 'a@b.co'],
  ['a nested JSON field', '{"user":{"email":"a@b.co"}}', { route: { email: ['user.email'] } }, 'a@b.co'],
  [
    'a nested JSON field in brackets',
    '{"user":{"email":"a@b.co"}}',
    { route: { email: ['user[email]'] } },
    'a@b.co',
  ],
  ['no email', '{"name":"x"}', {}, null],
  ['an empty email', '{"email":""}', {}, null],
  ['a form', 'name=x&email=a%40b.co&pw=1%262', { type: FORM }, 'a@b.co'],
  ['a form with the name in the value of another', 'email=a%40b.co&x=email=asc', { type: FORM }, 'a@b.co'],
  ['a form with the name behind a semicolon', 'x=a=1;email=1&email=a%40b.co', { type: FORM }, 'a@b.co'],
  ['a form with plus signs', 'email=a%2Bb%40b.co&name=A+B', { type: FORM }, 'a+b@b.co'],
  ['a form with escapes of two clients', 'email=a%40b.co&name=%C3%AB&old=%c3%ab', { type: FORM }, 'a@b.co'],
  // URLSearchParams drops the question mark.
  ['a form that begins like a query', '?email=a%40b.co&name=x', { type: FORM }, 'a@b.co'],
  ['a nested form field', 'user[email]=a%40b.co', { type: FORM, route: { email: ['user.email'] } }, 'a@b.co'],
  [
    'an escaped nested form field',
    'user%5Bemail%5D=a%40b.co',
    { type: FORM, route: { email: ['user.email'] } },
    'a@b.co',
  ],
  // Catalyst's `body_data` reads names by CGI::Struct.
  [
    'a nested form field in braces',
    'user{email}=a%40b.co',
    { type: FORM, route: { email: ['user.email'] } },
    'a@b.co',
  ],
  [
    'a nested form field that is configured in braces',
    'user.email=a%40b.co',
    { type: FORM, route: { email: ['user{email}'] } },
    'a@b.co',
  ],
  ['a form with a placeholder as a name', 'email=a%40b.co&{email}=c%40d.co', { type: FORM }, 'a@b.co'],
  [
    'a form with other fields of that word',
    'email=a%40b.co&email_confirmation=c&old_email=d',
    { type: FORM },
    'a@b.co',
  ],
  ['multipart', `${part('email', 'a@b.co')}${part('x', 'y')}--X--\r\n`, { type: MULTIPART }, 'a@b.co'],
  ['multipart without the last line end', `${part('email', 'a@b.co')}--X--`, { type: MULTIPART }, 'a@b.co'],
  [
    'multipart with a file',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\0\xff\r\n--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart as .NET writes it',
    '--X\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=email\r\n\r\na@b.co\r\n--X--\r\n',
    { type: 'multipart/form-data; boundary="X"' },
    'a@b.co',
  ],
  [
    'multipart with line ends around it',
    `\r\n${part('email', 'a@b.co')}--X--\r\n\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    "multipart of Apache's HttpClient",
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\na@b.co\r\n--X--\r\n',
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart of a mail library, whose type has the name too',
    `${part('email', 'a@b.co').replace('\r\n\r\n', '\r\nContent-Type: text/plain; name="email"\r\n\r\n')}--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart with the boundary of Android tutorials',
    `${part('email', 'a@b.co').replace('--X', '--*****')}--*****--\r\n`,
    { type: 'multipart/form-data;boundary=*****' },
    'a@b.co',
  ],
  [
    'multipart with an empty file and a Windows path',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--X\r\nContent-Disposition: form-data; name="b"; filename="C:\\x\\y.png"\r\n\r\nz\r\n--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'a form whose query holds the same email',
    'email=a%40b.co',
    { type: FORM, target: '/signup?email=A@b.co&x' },
    'a@b.co',
  ],
  [
    'a form whose query holds an empty email',
    'email=a%40b.co',
    { type: FORM, target: '/signup?email=' },
    'a@b.co',
  ],
  ['a text with an ampersand', '{"email":"a@b.co","bio":"R&D; x=1 & my_email=2"}', {}, 'a@b.co'],
  ['a link back with the same email', '{"email":"a@b.co","next":"/x?a=1&email=a%40b.co&b"}', {}, 'a@b.co'],
  [
    'a link back that ends with the same email',
    '{"email":"a@b.co","next":"/x?a=1&email=a%40b.co"}',
    {},
    'a@b.co',
  ],
  [
    'JSON with a dot behind the name',
    '{"email":"a@b.co","email.verified":true,"emails[]":"x"}',
    {},
    'a@b.co',
  ],
  ['JSON with a constructor', '{"email":"a@b.co","constructor":{"name":"x"}}', {}, 'a@b.co'],
  ['gzip', gzipSync('{"email":"a@b.co"}'), { encoding: 'gzip' }, 'a@b.co'],
  ['brotli', brotliCompressSync('{"email":"a@b.co"}'), { encoding: 'br' }, 'a@b.co'],
  ['deflate', deflateSync('{"email":"a@b.co"}'), { encoding: 'deflate' }, 'a@b.co'],
];

for (const [what, body, sent, email] of ACCEPTED) {
  test(`${what} is read`, async (t) => {
    t.deepEqual(await read(body, sent), { email });
  });
}

for (const { client, type, body } of ORDINARY_SIGNUPS) {
  test(`what ${client} sends is read`, async (t) => {
    t.deepEqual(await read(body, { type }), { email: ORDINARY_EMAIL });
  });
}

const REFUSED: readonly Case[] = [
  ...["user['email']", 'user["email"]', "user('email')"].map(
    (name): Case => [
      `a second email under the name ${name}, which Struts or Spring accepts`,
      `user[email]=a%40b.co&${encodeURIComponent(name)}=c%40d.co`,
      { type: FORM, route: { email: ['user.email'] } },
      400,
    ],
  ),
  ['JSON that holds a form', '{"email":"a@b.co","x":"&email=c%40d.co&"}', {}, 400],
  ['JSON that holds an escaped form', '{"email":"a@b.co","x":";e%6dail[]=c%40d.co&"}', {}, 400],
  [
    'a part that holds a form',
    `${part('email', 'a@b.co')}${part('x', '&email=a@b.co\n,c@d.co')}--X--`,
    { type: MULTIPART },
    400,
  ],
  ['an email in the query alone', 'x=1', { type: FORM, target: '/signup?email=c@d.co' }, 400],
  ['a name twice in JSON', '{"email":"a@b.co","email":"c@d.co"}', {}, 400],
  ['a name twice, once escaped', '{"email":"a@b.co","\\u0065mail":"c@d.co"}', {}, 400],
  ['a case variant beside it', '{"email":"a@b.co","Email":"c@d.co"}', {}, 400],
  ['a case variant alone', '{"EMAIL":"a@b.co"}', {}, 400],
  ['a long s that folds', '{"u\u017fer":{"email":"a@b.co"}}', { route: { email: ['user.email'] } }, 400],
  ['a NUL in JSON', '{"email":"a@b.co\\u0000"}', {}, 400],
  ['a NUL in a form', 'email=a%40b.co%00', { type: FORM }, 400],
  ['a list of emails', '{"email":["a@b.co"]}', {}, 400],
  ['an object', '{"email":{"a":1}}', {}, 400],
  ['a number', '{"email":1}', {}, 400],
  ['null', '{"email":null}', {}, 400],
  ['a JSON list', '[{"email":"a@b.co"}]', {}, 400],
  ['a member that is a list by its name', '{"email":"a@b.co","email[]":"c@d.co"}', {}, 400],
  ['a member that is a list by its name before', '{"Email[0]":"c@d.co","email":"a@b.co"}', {}, 400],
  ['the beginning of a member with a star', '{"email":"a@b.co","em*":"c@d.co"}', {}, 400],
  ['the beginning of a member with a star alone', '{"EMAIL\\u002a":"c@d.co"}', {}, 400],
  ['a path spelled as one name', '{"user.email":"a@b.co"}', { route: { email: ['user.email'] } }, 400],
  ['a list on the way', '{"user":[{"email":"a@b.co"}]}', { route: { email: ['user.email'] } }, 400],
  ['an empty body', '', {}, 400],
  ['a byte order mark', '\ufeff{"email":"a@b.co"}', {}, 400],
  ['a trailing comma', '{"email":"a@b.co",}', {}, 400],
  ['no content type', '{"email":"a@b.co"}', { type: [] }, 415],
  ['two content types', '{"email":"a@b.co"}', { type: ['application/json', FORM] }, 415],
  ['two in one', '{"email":"a@b.co"}', { type: `application/json, ${FORM}` }, 415],
  ['text', '{"email":"a@b.co"}', { type: 'text/plain' }, 415],
  ['another charset', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-16' }, 415],
  ['a charset twice', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-8; charset=utf-7' }, 415],
  ['a field twice', 'email=a%40b.co&email=c%40d.co', { type: FORM }, 400],
  ['a field behind a question mark, and without', '?email=a%40b.co&email=c%40d.co', { type: FORM }, 400],
  ['a field behind a number sign, and without', ' #email=a%40b.co&email=c%40d.co', { type: FORM }, 400],
  ['a field behind an equals sign, and without', '=email=c%40d.co&email=a%40b.co', { type: FORM }, 400],
  ['a field with an escaped equals sign', 'email%3Dc@d.co&email=a%40b.co', { type: FORM }, 400],
  ['a field with an equals sign in its name', 'email%3Dc@d.co=x&email=a%40b.co', { type: FORM }, 400],
  ['a field with a line feed in its name', 'em%0Aail=c@d.co&email=a%40b.co', { type: FORM }, 400],
  ['a field with a dotted capital I', 'ema%C4%B0l=c@d.co&email=a%40b.co', { type: FORM }, 400],
  [
    'a field behind the value of another, for a wide at sign',
    'email=a%40b.co&x=1=email=c%EF%BC%A0d.co',
    { type: FORM },
    400,
  ],
  [
    'a condition behind the value of another',
    'x=1=action=b&action=a@b&email=a%40b.co',
    { type: FORM, route: { when: { action: 'b' } } },
    400,
  ],
  ['a field behind the value of another', 'email=a%40b.co&x=1=email=c@d.co', { type: FORM }, 400],
  [
    'a part whose type has the name',
    `${part('email', 'a@b.co')}${part('x', 'c@d.co').replace('\r\n\r\n', '\r\nContent-Type: text/plain; name="email"\r\n\r\n')}--X--`,
    { type: MULTIPART },
    400,
  ],
  ['a list field', 'email[]=a%40b.co', { type: FORM }, 400],
  ['an indexed field', 'email[0]=a%40b.co', { type: FORM }, 400],
  ['a field that is also an object', 'email=a%40b.co&email[x]=c%40d.co', { type: FORM }, 400],
  ['a case variant in a form', 'Email=a%40b.co', { type: FORM }, 400],
  ['a name with a trailing space', 'email+=a%40b.co', { type: FORM }, 400],
  ['a default value of Spring', '!email=a%40b.co', { type: FORM }, 400],
  ['a default value of Spring in a condition', '!email=a%40b.co', { type: FORM, route: WHEN_EMAIL }, 400],
  ['a name with a NUL', 'email%00x=a%40b.co', { type: FORM }, 400],
  ['an underscore of PHP', 'user.email=a%40b.co', { type: FORM, route: { email: ['user_email'] } }, 400],
  [
    'a nested field in two spellings',
    'user.email=a%40b.co&user%7Bemail%7D=c%40d.co',
    { type: FORM, route: { email: ['user.email'] } },
    400,
  ],
  ['a semicolon that some split at', 'x=1;email=c%40d.co&email=a%40b.co', { type: FORM }, 400],
  ['a broken escape', 'email=a%40b.co&x=%zz', { type: FORM }, 400],
  ['an escape that is not UTF-8', 'email=a%40b.co&x=%ff', { type: FORM }, 400],
  ['an address with escapes in mixed case', 'email=a%40b.%cC%aAco', { type: FORM }, 400],
  ['a second name with escapes in mixed case', 'e%Cc%Aamail=c%40d.co&email=a%40b.co', { type: FORM }, 400],
  ['the 1,001st field', `${'x=1&'.repeat(1000)}email=a%40b.co`, { type: FORM }, 413],
  ['a part twice', `${part('email', 'a@b.co')}${part('email', 'c@d.co')}--X--`, { type: MULTIPART }, 400],
  [
    'a part as file, named as in RFC 8187',
    `--X\r\nContent-Disposition: form-data; filename*=utf-8''x's; name="email"\r\n\r\na@b.co\r\n--X--`,
    { type: MULTIPART },
    400,
  ],
  [
    'a name inside the name of a file',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="f"; filename*=utf-8''name=email\r\n\r\nc@d.co\r\n--X--`,
    { type: MULTIPART },
    400,
  ],
  [
    'a part as file',
    '--X\r\nContent-Disposition: form-data; name="email"; filename="x"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a part with two names',
    '--X\r\nContent-Disposition: form-data; name="x"; name="email"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a name in single quotes',
    "--X\r\nContent-Disposition: form-data; name='email'\r\n\r\na@b.co\r\n--X--",
    { type: MULTIPART },
    400,
  ],
  [
    'an extended name',
    "--X\r\nContent-Disposition: form-data; name*=utf-8''email\r\n\r\na@b.co\r\n--X--",
    { type: MULTIPART },
    400,
  ],
  [
    'an escaped name',
    '--X\r\nContent-Disposition: form-data; name="em\\ail"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a percent name',
    '--X\r\nContent-Disposition: form-data; name="%65mail"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  ['bare line feeds', `${part('email', 'a@b.co').replaceAll('\r', '')}--X--`, { type: MULTIPART }, 400],
  ['a preamble', `hello\r\n${part('email', 'a@b.co')}--X--`, { type: MULTIPART }, 400],
  ['an epilogue', `${part('email', 'a@b.co')}--X--\r\nmore`, { type: MULTIPART }, 400],
  ['no last boundary', part('email', 'a@b.co'), { type: MULTIPART }, 400],
  [
    'a boundary behind a bare line feed',
    `${part('x', 'y\n--X\r\nContent-Disposition: form-data; name="email"\r\n\r\nz')}--X--`,
    { type: MULTIPART },
    400,
  ],
  ['a boundary that goes on', `${part('x', 'y\r\n--Xy\r\nz')}--X--`, { type: MULTIPART }, 400],
  [
    'two boundaries',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary=X; boundary=Y' },
    415,
  ],
  [
    'a continued boundary',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary*0=X' },
    415,
  ],
  [
    'a base64 part',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Transfer-Encoding: base64\r\n\r\nYUBiLmNv\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a UTF-16 part',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=utf-16\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a folded part header',
    '--X\r\nContent-Disposition: form-data;\r\n name="email"\r\n\r\na@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  ['JSON called a form', '{"email":"c@d.co","x":"&email=a@b.co&"}', { type: FORM }, 415],
  ['JSON called a form, indented', ' \n[{"email":"c@d.co"}]&email=a@b.co', { type: FORM }, 415],
  ['a prototype in its place', '{"__proto__":{"email":"c@d.co"}}', {}, 400],
  ['a prototype beside it', '{"email":"a@b.co","__proto__":{"email":"c@d.co"}}', {}, 400],
  [
    'a constructor with a prototype',
    '{"email":"a@b.co","constructor":{"prototype":{"email":"c@d.co"}}}',
    {},
    400,
  ],
  ['a prototype in a form', '__proto__[email]=c&email=a%40b.co', { type: FORM }, 400],
  [
    'JSON as text on the way',
    '{"user":"{\\"email\\":\\"a@b.co\\"}"}',
    { route: { email: ['user.email'] } },
    400,
  ],
  [
    'JSON as a field on the way',
    'user={"email":"a@b.co"}',
    { type: FORM, route: { email: ['user.email'] } },
    400,
  ],
  ['a bracket of PHP', 'user[email=a%40b.co', { type: FORM, route: { email: ['user_email'] } }, 400],
  ['a very long name', `${'a'.repeat(2_000)}=1&email=a%40b.co`, { type: FORM }, 400],
  [
    'two boundaries, one in another name',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; xboundary=Y; boundary=X' },
    415,
  ],
  [
    'two boundaries, one in a value',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary="boundary=X"' },
    415,
  ],
  [
    'a boundary that is no token',
    `${part('email', 'a@b.co')}--X--`.replaceAll('--X', '--X/Y'),
    { type: 'multipart/form-data; boundary=X/Y' },
    415,
  ],
  [
    'a boundary with a comma',
    `${part('email', 'a@b.co')}--X--`.replaceAll('--X', '--X,Y'),
    { type: 'multipart/form-data; boundary="X,Y"' },
    415,
  ],
  [
    'a boundary with an escape',
    `${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; boundary="\\X"' },
    415,
  ],
  [
    'JSON that calls itself multipart too',
    '{"email":"a@b.co"}',
    { type: 'application/json; x=multipart/form-data; boundary=X' },
    415,
  ],
  [
    'JSON that calls itself a form too',
    '{"email":"a@b.co"}',
    { type: 'application/json; x=urlencoded' },
    415,
  ],
  [
    'a name within the name of a file',
    '--X\r\nContent-Disposition: form-data; name="x"; filename="\\"; name=\\"email"\r\n\r\nc@d.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a name with a quote',
    '--X\r\nContent-Disposition: form-data; name="x\\""\r\n\r\nc@d.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'a part in UTF-8 that says Latin-1',
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n\u00e9@b.co\r\n--X--',
    { type: MULTIPART },
    400,
  ],
  [
    'gzip with a form in its head',
    withComment(gzipSync('email=a%40b.co'), '&email=c%40d.co&'),
    { type: FORM, encoding: 'gzip' },
    400,
  ],
  [
    'gzip with a multipart form in its head',
    withComment(gzipSync(`${part('email', 'a@b.co')}--X--`), `\r\n${part('email', 'c@d.co')}--X--`),
    { type: MULTIPART, encoding: 'gzip' },
    400,
  ],
  [
    'something behind brotli',
    Buffer.concat([brotliCompressSync('{"email":"a@b.co"}'), Buffer.from('x')]),
    { encoding: 'br' },
    400,
  ],
  ['two encodings', gzipSync(gzipSync('{}')), { encoding: 'gzip, gzip' }, 415],
  ['an unknown encoding', '{}', { encoding: 'zstd' }, 415],
  ['plain data called gzip', '{"email":"a@b.co"}', { encoding: 'gzip' }, 400],
  [
    'two gzip members',
    Buffer.concat([gzipSync('{"email":"a@b.co"}'), gzipSync('  ')]),
    { encoding: 'gzip' },
    400,
  ],
  [
    'something behind deflate',
    Buffer.concat([deflateSync('{"email":"a@b.co"}'), Buffer.from('x')]),
    { encoding: 'deflate' },
    400,
  ],
  ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), { encoding: 'gzip' }, 413],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`${what} is ${typeof status === 'number' ? `refused with ${status}` : 'another field'}`, async (t) => {
    t.deepEqual(await read(body, sent), typeof status === 'number' ? status : { email: status });
  });
}

test('a form with long texts in base64 is read, also with its padding unescaped', async (t) => {
  const body = `email=a%40b.co&x=${'A'.repeat(3_000)}==&y=${'B'.repeat(3_000)}=`;
  t.deepEqual(await read(body, { type: FORM }), { email: 'a@b.co' });
});

const TWO: readonly (readonly [what: string, body: string, sent: Sent, others: readonly string[]])[] = [
  ['the query', 'email=a%40b.co', { type: FORM, target: '/signup?email=c%40d.co' }, ['c@d.co']],
  [
    'a path rewritten to a query',
    'email=a%40b.co',
    { type: FORM, target: '/signup%26email=c%40d.co' },
    ['c@d.co'],
  ],
  ['the query of JSON', '{"email":"a@b.co"}', { target: '/signup?email=c%40d.co&x' }, ['c@d.co']],
  [
    'the query behind a semicolon',
    'email=a%40b.co',
    { type: FORM, target: '/signup?x;email=c@d.co' },
    ['c@d.co'],
  ],
  [
    'the query in escapes of ASP.NET',
    'email=a%40b.co',
    { type: FORM, target: '/signup?x&e%u006dail=c%u0040d.co' },
    ['c@d.co'],
  ],
  [
    'the query behind an equals sign',
    'email=a%40b.co',
    { type: FORM, target: '/signup?=email=c@d.co' },
    ['c@d.co'],
  ],
  [
    'the query behind another value',
    'email=a%40b.co',
    { type: FORM, target: '/signup?x=1=email=c@d.co' },
    ['c@d.co'],
  ],
  [
    'the query with an escaped equals sign',
    'email=a%40b.co',
    { type: FORM, target: '/signup?email%3Dc@d.co' },
    ['c@d.co'],
  ],
  [
    'the query in a deeper name',
    'email=a%40b.co',
    { type: FORM, target: '/signup?user[email]=c@d.co' },
    ['c@d.co'],
  ],
  ['a field of Struts', "email=a%40b.co&top['email']=c%40d.co", { type: FORM }, ['c@d.co']],
  ['a field of ASP.NET', 'email=a%40b.co&model.Email=c%40d.co', { type: FORM }, ['c@d.co']],
  ['a field of Rails', 'user%5Bemail%5D=c%40d.co&email=a%40b.co', { type: FORM }, ['c@d.co']],
  ['a field in capitals', 'INPUT.EMAIL=c%40d.co&email=a%40b.co', { type: FORM }, ['c@d.co']],
  ['a list of one', 'email=a%40b.co&user[email][]=c%40d.co', { type: FORM }, ['c@d.co']],
  [
    'a field below a nested place',
    'user.email=a%40b.co&dto.user.email=c%40d.co',
    { type: FORM, route: { email: ['user.email'] } },
    ['c@d.co'],
  ],
  [
    'a part',
    `${part('email', 'a@b.co')}${part('dto.email', 'c@d.co')}--X--`,
    { type: MULTIPART },
    ['c@d.co'],
  ],
  ['a wrapped object', '{"email":"a@b.co","user":{"email":"c@d.co"}}', {}, ['c@d.co']],
  ['a wrapped object in capitals', '{"email":"a@b.co","user":{"EMAIL":"c@d.co"}}', {}, ['c@d.co']],
  ['a list in a wrapped object', '{"email":"a@b.co","user":{"email":["c@d.co"]}}', {}, ['c@d.co']],
  ['a member with the path as name', '{"email":"a@b.co","user[email]":"c@d.co"}', {}, ['c@d.co']],
  ['a link in JSON', '{"email":"a@b.co","x":"https://x/?a&email=c%40d.co&b"}', {}, ['c@d.co']],
  ['an escaped link in JSON', '{"email":"a@b.co","x":"?a;e%6dail[]=c%40d.co&"}', {}, ['c@d.co']],
  ['a link back', '{"email":"a@b.co","next":"/x?a=1&email=c%40d.co"}', {}, ['c@d.co']],
  [
    'a link back with a quote',
    '{"email":"a@b.co","next":"/x?a=1&email=a@b.co%22@d.co"}',
    {},
    ['a@b.co"@d.co'],
  ],
  [
    'lines of a part',
    `${part('email', 'a@b.co')}${part('x', '?a&email=a@b.co\n,c@d.co')}--X--`,
    { type: MULTIPART },
    ['a@b.co\n,c@d.co'],
  ],
  [
    'the first and the last of many links',
    `{"email":"a@b.co","x":"?&email=c@d.co${'&email=e@f.co'.repeat(50)}&email=g@h.co&"}`,
    {},
    ['c@d.co', 'g@h.co'],
  ],
];

for (const [what, body, sent, others] of TWO) {
  test(`a second email in ${what} is judged too`, async (t) => {
    t.deepEqual(await read(body, sent), { email: 'a@b.co', others });
  });
}

test('a second email is judged where the configured place is empty', async (t) => {
  t.deepEqual(await read('user[email]=a%40b.co', { type: FORM }), { email: null, others: ['a@b.co'] });
  t.deepEqual(await read('{"user":{"email":"a@b.co"}}'), { email: null, others: ['a@b.co'] });
});

const SAME: readonly Case[] = [
  [
    'in the query, in capitals',
    'email=a%2Bb%40b.co',
    { type: FORM, target: '/signup?email=A%2BB@B.co' },
    null,
  ],
  [
    'in the query, with a raw plus',
    'email=a%2Bb%40b.co',
    { type: FORM, target: '/signup?email=a+b@b.co' },
    null,
  ],
  ['in a link, escaped', '{"email":"a+b@b.co","from":"/x?a=1&email=a%2Bb%40b.co"}', {}, null],
  ['in a link, escaped twice', '{"email":"a+b@b.co","from":"/x?a=1&email=a%252Bb%2540b.co"}', {}, null],
  ['in a link, with a space', '{"email":"a+b@b.co","from":"/x?a=1&email=A%20b@b.co"}', {}, null],
  [
    'in a link of a form',
    `${part('from', '/x?a&email=A+B@b.co')}${part('email', 'a+b@b.co')}--X--`,
    { type: MULTIPART },
    null,
  ],
  ['in a wrapped object', '{"email":"a+b@b.co","user":{"email":"A+B@b.co"}}', {}, null],
  ['behind a semicolon', 'email=a%2Bb%40b.co&next=/x?a=1;email=a%2Bb%40b.co', { type: FORM }, null],
];

for (const [what, body, sent] of SAME) {
  test(`the same email ${what} is not a second email`, async (t) => {
    t.deepEqual(await read(body, sent), { email: 'a+b@b.co' });
  });
}

const NO_SECOND: readonly Case[] = [
  ['a friend in a list', 'email=a%40b.co&friends[0][email]=c%40d.co', { type: FORM }, null],
  ['a name without an address', 'email=a%40b.co&notify[email]=on', { type: FORM }, null],
  ['a query without an address', 'email=a%40b.co', { type: FORM, target: '/signup?email=1' }, null],
  ['another word', 'email=a%40b.co&user.email_confirmed=c%40d.co&x.old_email=e%40f.co', { type: FORM }, null],
  ['an object further down', '{"email":"a@b.co","x":{"y":{"email":"c@d.co"}}}', {}, null],
];

for (const [what, body, sent] of NO_SECOND) {
  test(`${what} is no second email`, async (t) => {
    t.deepEqual(await read(body, sent), { email: 'a@b.co' });
  });
}

test('more second emails than any honest form has are refused', async (t) => {
  const fields = Array.from({ length: 9 }, (_, i) => `x${i}.email=c${i}%40d.co`);
  t.is(await read(['email=a%40b.co', ...fields].join('&'), { type: FORM }), 400);
  t.like(await read(['email=a%40b.co', ...fields.slice(1)].join('&'), { type: FORM }), { email: 'a@b.co' });
});

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

test('a condition on a number or a truth holds in every spelling of it', async (t) => {
  const send = (body: string, value: number | boolean) =>
    read(body, { type: FORM, route: { when: { step: value } } });
  for (const text of ['1', '01', '1.0', '1e0', '+1'])
    t.deepEqual(await send(`step=${text}&email=a%40b.co`, 1), { email: 'a@b.co' }, text);
  for (const text of ['true', 'TRUE', '1', 'on', 'yes'])
    t.deepEqual(await send(`step=${text}&email=a%40b.co`, true), { email: 'a@b.co' }, text);
  t.is(await send('step=2&email=a%40b.co', 1), null);
  t.is(await send('step=&email=a%40b.co', 0), null);
  t.is(await send('step=0&email=a%40b.co', true), null);
});

test('a condition holds in any case and in the query too', async (t) => {
  const when = { when: { action: 'register' } };
  const form = (body: string, target = '/index.php') => read(body, { type: FORM, target, route: when });
  t.deepEqual(await form('action=register&email=a%40b.co'), { email: 'a@b.co' });
  t.deepEqual(await form('action=REGISTER&email=a%40b.co'), { email: 'a@b.co' });
  t.deepEqual(await form('email=a%40b.co', '/index.php?action=register'), { email: 'a@b.co' });
  t.is(await form('action=login&email=a%40b.co'), null);
  t.is(await form('action=login&action=register&email=a%40b.co'), 400);
});

test('an override of the method counts only when the body names it', async (t) => {
  const candidate = {
    route: route('/users', { methods: ['PUT'] }),
    pathVariant: '/users',
    source: 'the target',
    bodyCondition: 'method field' as const,
  };
  const send = (body: string, type: string) =>
    readSignup(
      {
        target: '/users',
        rawHeaders: [],
        contentTypes: [type],
        contentEncodings: [],
        budget: createWorkBudget(20_000_000),
        bytes: Buffer.from(body),
      },
      [candidate],
    );
  t.like(await send('_method=put&email=a%40b.co', FORM), { email: 'a@b.co' });
  t.is(await send('email=a%40b.co', FORM), null);
  t.like(await send('{"_method":"PUT","email":"a@b.co"}', 'application/json'), { email: 'a@b.co' });
  t.like(await send('{"\\u005fmethod":"PUT","email":"a@b.co"}', 'application/json'), { email: 'a@b.co' });
  t.like(await send('%5Fm%65thod=put&email=a%40b.co', FORM), { email: 'a@b.co' });
  t.is(await send('{"_method":"PATCH","email":"a@b.co"}', 'application/json'), null);
  t.is(await send('{"a":1,"a":2}', 'application/json'), null);
  t.is(await send('\0\x01', 'application/octet-stream'), null);
  await t.throwsAsync(send('.method=PUT&email=a%40b.co', FORM), { instanceOf: ProblemError });
});

const ordinary = fc.record({
  email: fc.emailAddress(),
  name: fc.string({ unit: 'grapheme', maxLength: 30 }),
  password: fc.string({ maxLength: 30 }),
});

test('an ordinary signup gives the same email however it is sent', async (t) => {
  await fc.assert(
    fc.asyncProperty(ordinary, async (fields) => {
      const expected = { email: fields.email };
      t.deepEqual(await read(JSON.stringify(fields)), expected);
      t.deepEqual(await read(new URLSearchParams(fields).toString(), { type: FORM }), expected);
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const sent = new Response(form);
      const type = sent.headers.get('content-type') ?? '';
      t.deepEqual(await read(Buffer.from(await sent.arrayBuffer()), { type }), expected);
    }),
    { numRuns: rounds(300) },
  );
});

test('mutated bodies are read or refused, and never cause an internal error', async (t) => {
  const bodies = ACCEPTED.map(([, body, sent]) => ({ bytes: Buffer.from(body), sent }));
  const mutation = fc.record({
    which: fc.nat(bodies.length - 1),
    edits: fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), how: fc.nat(2) }), {
      minLength: 1,
      maxLength: 6,
    }),
  });
  await fc.assert(
    fc.asyncProperty(mutation, async ({ which, edits }) => {
      const { bytes, sent } = bodies[which] ?? { bytes: Buffer.alloc(0), sent: {} };
      let mutated = [...bytes];
      for (const { at, byte, how } of edits)
        mutated = mutated.toSpliced(at % mutated.length, how === 0 ? 0 : 1, ...(how === 2 ? [] : [byte]));
      const result = await read(Buffer.from(mutated), sent);
      t.true(result === null || typeof result === 'object' || [400, 413, 415].includes(result));
    }),
    { numRuns: rounds(3000) },
  );
});

test('an email may be in several places, and all that are there must be equal', async (t) => {
  const places = { email: ['email', 'user.email'] };
  t.deepEqual(await read('{"email":"a@b.co"}', { route: places }), { email: 'a@b.co' });
  t.deepEqual(await read('{"user":{"email":"a@b.co"}}', { route: places }), { email: 'a@b.co' });
  t.deepEqual(await read('{"email":"a@b.co","user":{"email":"a@b.co"}}', { route: places }), {
    email: 'a@b.co',
  });
  t.is(await read('{"email":"a@b.co","user":{"email":"c@d.co"}}', { route: places }), 400);
});
