import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** One request, as it goes over the wire. */
export interface DifferentialCase {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  /** Name and value, one for each line; framing and host are added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const GOOD = 'good@corp.example';
const BAD = 'bad@burner.example';
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=X';
const FORM_BODY = `email=${encodeURIComponent(GOOD)}&name=x`;

interface Changes {
  readonly method?: string;
  readonly target?: string;
  readonly type?: string | readonly string[] | null;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

function make(
  id: string,
  { method = 'POST', target = '/signup', type = FORM, headers = [], body = FORM_BODY }: Changes,
) {
  const types = type === null ? [] : [type].flat();
  return {
    id,
    method,
    target,
    headers: [...types.map((value) => ['Content-Type', value] as const), ...headers],
    body: Buffer.from(body as string),
  };
}

/** Spellings of a path, `/signup` standing for it. */
const SPELLINGS = [
  ...[
    '/signup',
    '/signup/',
    '/signup//',
    '/SIGNUP',
    '/Signup',
    '/sIgNuP/',
    '/signup?x=1',
    '/signup?',
    '/signup#x',
    '/signup/#',
  ],
  ...[
    '/%73ignup',
    '/sign%75p',
    '/%53IGNUP',
    '/%2573ignup',
    '/%25%37%33ignup',
    '/signup%2f',
    '/%2fsignup',
    '/signup%20',
    '/%20signup',
  ],
  ...[
    '//signup',
    '///signup',
    '/./signup',
    '/a/../signup',
    '/a/b/../../signup',
    '/../signup',
    '/a//../../signup',
    '/signup/.',
    '/signup/..',
  ],
  ...[
    '/signup/x/..',
    '/%2e/signup',
    '/%2e%2e/signup',
    '/a/%2e%2e/signup',
    '/a/.%2e/signup',
    '/x%2f..%2fsignup',
    '/a/..;/signup',
    '/a/..%3b/signup',
  ],
  ...[
    '/signup;x',
    '/signup;jsessionid=1',
    '/signup;x/',
    '/signup;/x',
    '/signup%3bx',
    '/;x/signup',
    '/a;x/../signup',
    '/signup,x',
    '/signup:x',
  ],
  ...[
    '/\\signup',
    '/\\\\signup',
    '/signup\\',
    '/a\\..\\signup',
    '/%5csignup',
    '/signup%5c',
    '/a%5c..%5csignup',
    '\\signup',
  ],
  ...[
    '//evil.example/signup',
    '/\\evil.example/signup',
    '///evil.example/signup',
    '//evil.example//signup',
    '//a@b:1/signup',
    '/.//evil.example/signup',
  ],
  ...[
    'http://host/signup',
    'HTTP://host/signup',
    'http://host//signup',
    'http://a@host:1/%73ignup?x',
    'https://host/signup',
    'http://host',
    'http:/signup',
  ],
  ...[
    'http://host?/signup',
    'http://host#/signup',
    'http:\\\\host\\signup',
    'ftp://host/signup',
    'signup',
    '*',
    'http://host//evil.example/signup',
  ],
  ...[
    '/signup.',
    '/signup..',
    '/signup.json',
    '/signup.php',
    '/signup.html',
    '/signup.php/x',
    '/signup.php/',
    '/SIGNUP.PHP',
    '/signup.php%00',
    '/signup.%70hp',
  ],
  ...[
    '/index.php/signup',
    '/index.php/signup/',
    '/index.php//signup',
    '/x/index.php/signup',
    '/signup/index.php',
    '/index.php',
    '/a.php/signup',
    '/welcome.php/../signup.php',
  ],
  ...[
    '/signup%00',
    '/signup%00.png',
    '/signup%2500',
    '/%00/signup',
    '/signup%0a',
    '/signup%0d%0a',
    '/signup%09',
    '/%0asignup',
    '/signup%',
    '/signup%zz',
    '/%zz/../signup',
  ],
  ...[
    '/sign%ffup',
    '/%c1%b3ignup',
    '/%c0%afsignup',
    '/%u0073ignup',
    '/%C5%BFignup',
    '/s%C4%B1gnup',
    '/%EF%BD%93ignup',
    '/sign%C2%ADup',
    '/signup%E2%80%8B',
  ],
  ...[
    '/signup%3Fx',
    '/signup%23x',
    '/signup%26x',
    '/signup+',
    '/+signup',
    '/signup%2b',
    '/(S(abc))/signup',
    '/~/signup',
    '/signup~',
    '/signup::$DATA',
    '/public?/signup',
  ],
];

function spellings(): DifferentialCase[] {
  const cases = SPELLINGS.map((target) => make(`target ${target}`, { target }));
  for (const path of ['/join', '/account', '/signup.php', '/join.php']) {
    const [method, type, body] =
      path === '/account'
        ? ['PUT', JSON_TYPE, `{"email":"${GOOD}"}`]
        : ['POST', JSON_TYPE, `{"email":"${GOOD}"}`];
    for (const spelling of SPELLINGS.filter((_, i) => i % 4 === path.length % 4)) {
      const target = spelling.replace(/signup(?:\.php)?/i, path.slice(1));
      cases.push(make(`${method} target ${target}`, { method, target, type, body }));
    }
  }
  return cases;
}

function methods(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const method of [
    'GET',
    'HEAD',
    'OPTIONS',
    'PUT',
    'PATCH',
    'DELETE',
    'QUERY',
    'PROPFIND',
    'TRACE',
    'M-SEARCH',
    'post',
  ]) {
    cases.push(
      make(`${method} /signup`, { method }),
      make(`${method} /account`, { method, target: '/account' }),
    );
  }
  for (const name of [
    'X-HTTP-Method-Override',
    'x-http-method-override',
    'X-HTTP-Method',
    'X-Method-Override',
    'X_HTTP_Method_Override',
    'X-Http-Method_Override',
  ]) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      cases.push(make(`${method} ${name}: POST`, { method, headers: [[name, 'POST']] }));
      cases.push(
        make(`${method} /account ${name}: put`, { method, target: '/account', headers: [[name, 'put']] }),
      );
    }
  }
  const bodies: readonly (readonly [string, string])[] = [
    [FORM, `_method=PUT&${FORM_BODY}`],
    [FORM, `_method=put&${FORM_BODY}`],
    [FORM, `%5Fmethod=PUT&${FORM_BODY}`],
    [FORM, `_metho%64=PUT&${FORM_BODY}`],
    [FORM, `_method=+PUT&${FORM_BODY}`],
    [FORM, `.method=PUT&${FORM_BODY}`],
    [FORM, `_method=GET&_method=PUT&${FORM_BODY}`],
    [FORM, `_method[]=PUT&${FORM_BODY}`],
    [FORM, `${FORM_BODY}&_method=PUT&email=${BAD}`],
    [JSON_TYPE, `{"_method":"PUT","email":"${GOOD}"}`],
    [JSON_TYPE, `{"\\u005fmethod":"PUT","email":"${GOOD}"}`],
    [JSON_TYPE, `{"_method":"PUT","email":"${GOOD}","email":"${BAD}"}`],
    [MULTIPART, multipart(['_method', 'PUT'], ['email', GOOD])],
    [MULTIPART, multipart(['_method', 'put'], ['email', GOOD])],
    ['text/plain', `_method=PUT&${FORM_BODY}`],
  ];
  for (const [type, body] of bodies) {
    cases.push(make(`method in the body ${body.slice(0, 40)}`, { target: '/account', type, body }));
  }
  for (const query of [
    '_method=PUT',
    '_method=put',
    '%5fmethod=PUT',
    '_METHOD=PUT',
    'x;_method=PUT',
    '_method[]=PUT',
    'method=PUT',
  ]) {
    cases.push(make(`POST /account?${query}`, { target: `/account?${query}` }));
    cases.push(make(`GET /account?${query}`, { method: 'GET', target: `/account?${query}&email=${BAD}` }));
  }
  return cases;
}

function headers(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const name of [
    'X-Original-URL',
    'X-Original-Uri',
    'X-Rewrite-URL',
    'X-Forwarded-Uri',
    'X-Override-Url',
    'X-Forwarded-Path',
    'PATH_INFO',
  ]) {
    for (const value of ['/signup', '/%73ignup', '//signup', 'http://x/signup', '/a/../signup?x'])
      cases.push(make(`${name}: ${value}`, { target: '/', headers: [[name, value]] }));
  }
  for (const name of ['X-Script-Name', 'X_Script_Name', 'Script-Name', 'SCRIPT_NAME', 'X-Forwarded-Prefix']) {
    for (const [value, target] of [
      ['/x', '/x/signup'],
      ['/x/', '/x/signup'],
      ['/x', '/x/%73ignup'],
      ['/', '//signup'],
      ['/%78', '/x/signup'],
    ] as const)
      cases.push(make(`${name}: ${value} ${target}`, { target, headers: [[name, value]] }));
  }
  for (const [name, value] of [
    ['X-Gatekeeper-Assertion', 'forged'],
    ['X_Gatekeeper_Assertion', 'forged'],
    ['x-gatekeeper-action', 'forward'],
    ['Connection', 'X-Gatekeeper-Assertion'],
    ['Connection', 'Content-Type'],
    ['Content_Type', JSON_TYPE],
    ['Content_Encoding', 'gzip'],
    ['Content-Type ', JSON_TYPE],
  ] as const) {
    cases.push(make(`${name}: ${value}`, { headers: [[name, value]] }));
  }
  return cases;
}

function multipart(...parts: readonly (readonly [name: string, value: string])[]): string {
  const texts = parts.map(
    ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${texts.join('')}--X--\r\n`;
}

function partWith(head: string, value = BAD): string {
  return `--X\r\n${head}\r\n\r\n${value}\r\n`;
}

/** A gzip member with a comment in its head (RFC 1952 section 2.3.1). */
function gzipWithComment(body: string, comment: string): Buffer {
  const member = gzipSync(body);
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 0x10;
  return Buffer.concat([head, Buffer.from(`${comment}\0`, 'latin1'), member.subarray(10)]);
}

const DISPOSITION = 'Content-Disposition: form-data;';

/** Bodies in which one parser may find the good address and another the bad one. */
const BODIES: readonly (readonly [type: string | readonly string[] | null, body: string | Buffer])[] = [
  [JSON_TYPE, `{"email":"${GOOD}","email":"${BAD}"}`],
  [JSON_TYPE, `{"email":"${GOOD}","\\u0065mail":"${BAD}"}`],
  [JSON_TYPE, `{"email":"${GOOD}","Email":"${BAD}"}`],
  [JSON_TYPE, `{"email":"${GOOD}","EMAIL":"${BAD}"}`],
  [JSON_TYPE, `{"Email":"${BAD}"}`],
  [JSON_TYPE, `{"email":["${BAD}"]}`],
  [JSON_TYPE, `{"email":{"x":"${BAD}"}}`],
  [JSON_TYPE, `{"email":null}`],
  [JSON_TYPE, `{"email":1}`],
  [JSON_TYPE, `{"email":""}`],
  [JSON_TYPE, '{}'],
  [JSON_TYPE, `[{"email":"${BAD}"}]`],
  [JSON_TYPE, `"${BAD}"`],
  [JSON_TYPE, `{"__proto__":{"email":"${BAD}"}}`],
  [JSON_TYPE, `{"constructor":{"prototype":{"email":"${BAD}"}}}`],
  [JSON_TYPE, `{"email":"${GOOD}","__proto__":{"email":"${BAD}"}}`],
  [JSON_TYPE, `\ufeff{"email":"${BAD}"}`],
  [JSON_TYPE, Buffer.from(`{"email":"${BAD}"}`, 'utf16le')],
  [`${JSON_TYPE}; charset=utf-16`, Buffer.from(`{"email":"${BAD}"}`, 'utf16le')],
  [`${JSON_TYPE}; charset=utf-7`, `{"email":"bad+AEA-burner.example"}`],
  [`${JSON_TYPE}; charset=utf-8; charset=utf-16`, `{"email":"${BAD}"}`],
  [JSON_TYPE, `{"email":"${BAD}",}`],
  [JSON_TYPE, `{"email":"${GOOD}"/*,"email":"${BAD}"*/}`],
  [JSON_TYPE, `{"email":"${GOOD}"}{"email":"${BAD}"}`],
  [JSON_TYPE, `{"email":"${GOOD}"} x`],
  [JSON_TYPE, `{'email':'${BAD}'}`],
  [JSON_TYPE, `{"email":"${BAD}\\u0000"}`],
  [JSON_TYPE, `{"email\\u0000":"${BAD}"}`],
  [JSON_TYPE, `{"email ":"${BAD}"}`],
  [JSON_TYPE, `{"email":"\\ud800${BAD}"}`],
  [JSON_TYPE, Buffer.from(`{"email":"\xff${BAD}"}`, 'latin1')],
  [JSON_TYPE, `{"email":"  ${GOOD}\\n"}`],
  [JSON_TYPE, `{"email":"${GOOD}","x":"&email=${BAD}&"}`],
  [JSON_TYPE, `email=${BAD}`],
  [JSON_TYPE, ''],
  [JSON_TYPE, ' '],
  [JSON_TYPE, 'null'],
  [JSON_TYPE, `${'['.repeat(5_000)}`],
  ['APPLICATION/JSON', `{"email":"${GOOD}"}`],
  ['application/json;', `{"email":"${GOOD}"}`],
  ['application/vnd.api+json', `{"email":"${GOOD}"}`],
  ['application/json-patch+json', `{"email":"${BAD}"}`],
  ['text/json', `{"email":"${BAD}"}`],
  ['text/plain', `{"email":"${BAD}"}`],
  ['text/plain', FORM_BODY],
  ['application/octet-stream', `{"email":"${BAD}"}`],
  ['application/xml', `<email>${BAD}</email>`],
  ['*/*', `{"email":"${BAD}"}`],
  ['json', `{"email":"${BAD}"}`],
  [null, `{"email":"${BAD}"}`],
  [null, FORM_BODY],
  ['', FORM_BODY],
  [[JSON_TYPE, FORM], `{"email":"${BAD}"}`],
  [[FORM, JSON_TYPE], FORM_BODY],
  [`${FORM}, ${JSON_TYPE}`, FORM_BODY],
  [`${JSON_TYPE}, ${FORM}`, `{"email":"${BAD}"}`],
  [`${JSON_TYPE}; x="${FORM}"`, `{"email":"${BAD}"}`],
  [`${JSON_TYPE}; boundary=X; multipart/form-data`, multipart(['email', BAD])],
  [FORM, `{"email":"${BAD}"}`],
  [FORM, `{"email":"${BAD}","x":"&email=${GOOD}&"}`],
  [FORM, ` {"email":"${BAD}"}&email=${GOOD}`],
  [FORM, `email=${GOOD}&email=${BAD}`],
  [FORM, `email=${BAD}&email=${GOOD}`],
  [FORM, `email=${GOOD}&email[]=${BAD}`],
  [FORM, `email[]=${BAD}`],
  [FORM, `email[0]=${BAD}`],
  [FORM, `email[x]=${BAD}&email=${GOOD}`],
  [FORM, `email=${GOOD}&email[x]=${BAD}`],
  [FORM, `email=${GOOD}&Email=${BAD}`],
  [FORM, `EMAIL=${BAD}`],
  [FORM, `email=${GOOD}&%65mail=${BAD}`],
  [FORM, `%65%6d%61%69%6c=${encodeURIComponent(GOOD)}`],
  [FORM, `email=${GOOD}&email%00x=${BAD}`],
  [FORM, `email%00=${BAD}`],
  [FORM, `+email=${BAD}`],
  [FORM, `email=${GOOD}&+email=${BAD}`],
  [FORM, `email=${GOOD}& email=${BAD}`],
  [FORM, `email+=${BAD}`],
  [FORM, `[email]=${BAD}`],
  [FORM, `email]=${BAD}`],
  [FORM, `email[=${BAD}`],
  [FORM, `email.=${BAD}`],
  [FORM, `?email=${BAD}&email=${GOOD}`],
  [FORM, `?email=${BAD}`],
  [FORM, `#email=${BAD}&email=${GOOD}`],
  [FORM, `x=1;email=${BAD}&email=${GOOD}`],
  [FORM, `email=${GOOD};email=${BAD}`],
  [FORM, `x=1;email=${BAD}`],
  [FORM, `&&email=${GOOD}&&`],
  [FORM, `email=${GOOD}\r\n`],
  [FORM, `email==${GOOD}`],
  [FORM, `email=%zz${BAD}`],
  [FORM, `email=${BAD}%ff`],
  [FORM, Buffer.from(`email=\xff${BAD}`, 'latin1')],
  [FORM, `email`],
  [FORM, `email=`],
  [FORM, ''],
  [FORM, `${'x=1&'.repeat(1_000)}email=${BAD}`],
  [FORM, `${'x=1&'.repeat(999)}email=${GOOD}`],
  [FORM, `__proto__[email]=${BAD}`],
  [FORM, `constructor[prototype][email]=${BAD}`],
  [FORM, `\ufeffemail=${BAD}`],
  [FORM, `_charset_=utf-16&email=${GOOD}`],
  [`${FORM}; charset=utf-16`, Buffer.from(`email=${BAD}`, 'utf16le')],
  [`${FORM}; charset=iso-8859-1`, FORM_BODY],
  [`${FORM};charset=UTF-8`, FORM_BODY],
  [`${FORM}x`, FORM_BODY],
  [`x${FORM}`, FORM_BODY],
  [MULTIPART, multipart(['email', GOOD], ['email', BAD])],
  [MULTIPART, multipart(['email', BAD], ['email', GOOD])],
  [MULTIPART, multipart(['email', GOOD], ['Email', BAD])],
  [MULTIPART, multipart(['email', GOOD], ['email[]', BAD])],
  [MULTIPART, multipart(['email[]', BAD])],
  [MULTIPART, multipart(['email ', BAD])],
  [MULTIPART, multipart(['e\\mail', BAD])],
  [MULTIPART, multipart(['%65mail', BAD])],
  [MULTIPART, multipart(['email\0x', BAD])],
  [MULTIPART, multipart(['x', `&email=${BAD}&`], ['email', GOOD])],
  [MULTIPART, multipart(['x', 'y']).replace('--X--\r\n', '')],
  [MULTIPART, multipart(['email', GOOD]).replace('--X--\r\n', '')],
  [MULTIPART, multipart(['email', GOOD]).replaceAll('\r', '')],
  [MULTIPART, `${multipart(['email', GOOD])}${multipart(['email', BAD])}`],
  [MULTIPART, `preamble\r\n${multipart(['email', GOOD])}`],
  [MULTIPART, `\r\n${multipart(['email', GOOD])}`],
  [MULTIPART, `${multipart(['email', GOOD])}\r\n`],
  [MULTIPART, `--X--\r\n${multipart(['email', BAD])}`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x"; name="email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"; name="x"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name=email`, GOOD)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name='email'`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name*=utf-8''email`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x"; name*=utf-8''email`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"; filename="a"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"; filename=""`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x"; filename="\\"; name=\\"email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x\\"; name="email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} filename="; name=email; x="; name="y"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION}\r\n name="email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x"\r\n${DISPOSITION} name="email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="x"\nContent-Disposition: form-data; name="email"`)}--X--`],
  [MULTIPART, `${partWith(`X: y\r\n${DISPOSITION} name="email"`)}--X--`],
  [MULTIPART, `${partWith(`content-disposition: FORM-DATA; NAME="email"`)}--X--`],
  [MULTIPART, `${partWith(`Content-Disposition: attachment; name="email"`)}--X--`],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"\r\nContent-Type: text/plain; charset=utf-16`)}--X--`],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="email"\r\nContent-Type: text/plain; charset=utf-7`, 'bad+AEA-burner.example')}--X--`,
  ],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"\r\nContent-Type: application/json`, GOOD)}--X--`],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="email"\r\nContent-Transfer-Encoding: base64`, Buffer.from(BAD).toString('base64'))}--X--`,
  ],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="email"\r\nContent-Transfer-Encoding: quoted-printable`, 'bad=40burner.example')}--X--`,
  ],
  [MULTIPART, `${partWith(`${DISPOSITION} name="email"\r\nContent-Length: 3`)}--X--`],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="x"`, `y\n--X\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}`)}--X--`,
  ],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="email"`, GOOD)}--X--y\r\n${partWith(`${DISPOSITION} name="email"`)}--X--`,
  ],
  [
    MULTIPART,
    `${partWith(`${DISPOSITION} name="email"`, GOOD)}--X \r\n${DISPOSITION} name="y"\r\n\r\nz\r\n--X--`,
  ],
  [MULTIPART, `--X\r\n${DISPOSITION} name="email"\r\n\r\n--X--`],
  [MULTIPART, `--X\r\n\r\n${BAD}\r\n--X--`],
  [MULTIPART, `{"email":"${BAD}"}`],
  ['multipart/form-data; boundary=Y; boundary=X', multipart(['email', BAD])],
  [
    'multipart/form-data; xboundary=Y; boundary=X',
    `${partWith(`${DISPOSITION} name="x"`, `\r\n--Y\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}\r\n--Y--\r\n`)}${multipart(['email', GOOD])}`,
  ],
  [
    'multipart/form-data; boundary=X; y="; boundary=Y"',
    `${partWith(`${DISPOSITION} name="x"`, `\r\n--Y\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}\r\n--Y--\r\n`)}${multipart(['email', GOOD])}`,
  ],
  [
    'multipart/form-data; boundary=X/Y',
    `${partWith(`${DISPOSITION} name="email"`).replace('--X', '--X/Y')}--X/Y--`,
  ],
  [
    'multipart/form-data; boundary="X,Y"',
    `--X,Y\r\n${DISPOSITION} name="y"\r\n\r\n\r\n--X\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}\r\n--X--\r\n\r\n--X,Y\r\n${DISPOSITION} name="email"\r\n\r\n${GOOD}\r\n--X,Y--`,
  ],
  ['multipart/form-data; boundary="\\X"', multipart(['email', BAD])],
  ['multipart/form-data; boundary*=X', multipart(['email', BAD])],
  ["multipart/form-data; boundary='X'", multipart(['email', BAD])],
  ['multipart/form-data; BOUNDARY=X', multipart(['email', GOOD])],
  ['multipart/form-data;boundary="X"', multipart(['email', GOOD])],
  ['multipart/form-data; boundary=', multipart(['email', BAD])],
  ['multipart/form-data', multipart(['email', BAD])],
  ['multipart/mixed; boundary=X', multipart(['email', BAD])],
  ['multipart/related; boundary=X', multipart(['email', BAD])],
  ['Multipart/Form-Data; boundary=X', multipart(['email', GOOD])],
];

const ENCODED: readonly (readonly [encoding: string | readonly string[], type: string, body: Buffer])[] = [
  ['gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['GZIP', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['x-gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['deflate', JSON_TYPE, deflateSync(`{"email":"${GOOD}"}`)],
  ['br', JSON_TYPE, brotliCompressSync(`{"email":"${GOOD}"}`)],
  ['gzip', FORM, gzipSync(FORM_BODY)],
  ['gzip', MULTIPART, gzipSync(multipart(['email', GOOD]))],
  ['identity', FORM, Buffer.from(FORM_BODY)],
  ['', FORM, Buffer.from(FORM_BODY)],
  ['gzip, gzip', JSON_TYPE, gzipSync(gzipSync(`{"email":"${BAD}"}`))],
  [['gzip', 'gzip'], JSON_TYPE, gzipSync(gzipSync(`{"email":"${BAD}"}`))],
  [['identity', 'gzip'], JSON_TYPE, gzipSync(`{"email":"${BAD}"}`)],
  ['gzip;q=1', JSON_TYPE, gzipSync(`{"email":"${BAD}"}`)],
  ['zstd', JSON_TYPE, Buffer.from(`{"email":"${BAD}"}`)],
  ['compress', FORM, Buffer.from(`email=${BAD}`)],
  ['gzip', JSON_TYPE, Buffer.from(`{"email":"${BAD}"}`)],
  ['br', FORM, Buffer.from(`email=${BAD}`)],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}",`), gzipSync(`"Email":"${BAD}"}`)])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}"}`), gzipSync(' ')])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(''), gzipSync(`{"email":"${BAD}"}`)])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}"}`), Buffer.from(`&email=${BAD}`)])],
  ['gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`).subarray(0, -4)],
  ['deflate', FORM, Buffer.concat([deflateSync(FORM_BODY), Buffer.from(`&email=${BAD}`)])],
  ['br', FORM, Buffer.concat([brotliCompressSync(FORM_BODY), Buffer.from(`&email=${BAD}`)])],
  ['gzip', FORM, gzipWithComment(FORM_BODY, `&email=${BAD}&`)],
  ['gzip', FORM, gzipWithComment(FORM_BODY, `;email=${BAD};`)],
  ['gzip', MULTIPART, gzipWithComment(multipart(['email', GOOD]), `\r\n${multipart(['email', BAD])}`)],
  ['gzip', JSON_TYPE, gzipSync(Buffer.alloc(20_000_000))],
];

const QUERIES = [
  `email=${GOOD}`,
  `email=${BAD}`,
  `email[]=${BAD}`,
  `Email=${BAD}`,
  `%65mail=${BAD}`,
  `x;email=${BAD}`,
  `email=`,
  `email%00=${BAD}`,
  `a=1&email=${BAD}#x`,
];

function bodies(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const target of ['/signup', '/join']) {
    for (const [i, [type, body]] of BODIES.entries())
      cases.push(make(`${target} body ${i} ${String(type)}`, { target, type, body }));
    for (const [i, [encoding, type, body]] of ENCODED.entries()) {
      const headers = [encoding].flat().map((value) => ['Content-Encoding', value] as const);
      cases.push(make(`${target} encoded ${i} ${String(encoding)} ${type}`, { target, type, headers, body }));
    }
    for (const query of QUERIES) {
      cases.push(make(`${target}?${query} form`, { target: `${target}?${query}` }));
      cases.push(
        make(`${target}?${query} JSON`, {
          target: `${target}?${query}`,
          type: JSON_TYPE,
          body: `{"email":"${GOOD}"}`,
        }),
      );
      cases.push(make(`${target}?${query} empty form`, { target: `${target}?${query}`, body: 'x=1' }));
    }
  }
  return cases;
}

/** Everything that is written down. */
export function craftedCases(): readonly DifferentialCase[] {
  return [...spellings(), ...methods(), ...headers(), ...bodies()];
}

const STARTS = ['/', '//', '/./', '/x/../', '/\\', '//h/', '/%2e/', '/index.php/', 'http://h/', '/;x/'];
const ENDS = ['', '', '', '/', '//', ';x', '.', '?x', '#x', '.php', '.php/x', '/.', '%20', '%00', '\\'];

/** What turns one signup into two when it lands where a parser looks. */
const DECOYS = [
  ...[
    `&email=${BAD}`,
    `email=${BAD}&`,
    `;email=${BAD};`,
    `&email[]=${BAD}&`,
    `&%65mail=${BAD}&`,
    `&Email=${BAD}&`,
  ],
  ...[
    `"email":"${BAD}",`,
    `,"email":"${BAD}"`,
    `"Email":"${BAD}",`,
    `,"__proto__":{"email":"${BAD}"}`,
    `{"email":"${BAD}"}`,
  ],
  ...[
    `--X\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}\r\n`,
    `\r\n--X\r\n${DISPOSITION} name=email\r\n\r\n${BAD}`,
    `; name="email"`,
    `; name='email'`,
    `; filename="x"`,
    `\r\nContent-Type: text/plain; charset=utf-16`,
    '--X--\r\n',
    '--X\r\n',
    '\r\n\r\n',
    '\r\n',
  ],
  ...[
    ...'&;=%"\'\\[]{}+,: \n\t\0-Xx@.',
    '%00',
    '%0a',
    '\\u0000',
    '\ufeff',
    '\u00e9',
    '[]',
    '[x]',
    '/*',
    '*/',
    '//',
  ],
];

const TYPES = [
  JSON_TYPE,
  FORM,
  MULTIPART,
  `${FORM}; charset=utf-8`,
  'application/vnd.api+json',
  'multipart/form-data; boundary="X"',
];

/** Spellings, methods and bodies mixed at random, the same ones for the same seed. */
export function generatedCases(count: number, seed: number): readonly DifferentialCase[] {
  const letters = [...'signup'].map((letter) =>
    fc.constantFrom(letter, letter, letter, letter.toUpperCase(), `%${letter.charCodeAt(0).toString(16)}`),
  );
  const spelled = fc
    .tuple(fc.constantFrom(...STARTS), fc.tuple(...letters), fc.constantFrom(...ENDS))
    .map(([start, word, end]) => `${start}${word.join('')}${end}`);
  const bodies = [
    ...BODIES,
    ...Array.from({ length: 60 }, () => [FORM, FORM_BODY] as const),
    ...Array.from({ length: 60 }, () => [JSON_TYPE, `{"x":"y","email":"${GOOD}","z":{"a":[1]}}`] as const),
    ...Array.from(
      { length: 60 },
      () => [MULTIPART, multipart(['x', 'y'], ['email', GOOD], ['z', ''])] as const,
    ),
  ].map(([type, body]) => ({ type, bytes: Buffer.from(body as string) }));
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.constantFrom(0, 0, 0, 1, 2),
    text: fc.constantFrom('', ...DECOYS),
  });
  const request = fc.record({
    target: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('/signup', '/signup', '/join') },
      { weight: 1, arbitrary: spelled },
    ),
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'PUT', 'GET'),
    body: fc.constantFrom(...bodies),
    otherType: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
    ),
    edits: fc.array(edit, { maxLength: 3 }),
  });
  return fc.sample(request, { seed, numRuns: count }).map(({ target, method, body, otherType, edits }, i) => {
    let { bytes } = body;
    for (const { at, cut, text } of edits) {
      const place = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(text), bytes.subarray(place + cut)]);
    }
    const type = otherType ?? body.type;
    return make(`generated ${i} ${method} ${target} ${String(type)}`, { method, target, type, body: bytes });
  });
}
