import { gzipSync } from 'node:zlib';
import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import type { BodyCondition } from '../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=X';
const REGISTER = route('/index.php', { when: { action: 'register' } });

interface Sent {
  readonly type?: string;
  readonly target?: string;
  readonly encodings?: readonly string[];
  readonly route?: RouteConfig;
  readonly bodyCondition?: BodyCondition;
  readonly source?: string;
  readonly rawHeaders?: readonly string[];
}

async function read(body: string | Buffer, sent: Sent = {}) {
  const request = {
    target: sent.target ?? '/index.php',
    rawHeaders: sent.rawHeaders ?? [],
    contentTypes: sent.type === undefined ? [] : [sent.type],
    contentEncodings: sent.encodings ?? [],
    budget: createWorkBudget(20_000_000),
    bytes: Buffer.from(body as string),
  };
  const candidate = {
    route: sent.route ?? REGISTER,
    pathVariant: '/index.php',
    source: sent.source ?? 'the target',
    bodyCondition: sent.bodyCondition ?? ('none' as const),
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup === null ? 'passes' : (signup.email ?? 'no email');
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

const PASSES: readonly (readonly [what: string, body: string | Buffer, sent: Sent])[] = [
  ['nothing', '', {}],
  ['nothing with a type', '', { type: FORM }],
  ['text', 'hello, world', { type: 'text/plain' }],
  ['text without a type', 'hello, world', {}],
  ['text in Latin-1', Buffer.from('caf\xe9', 'latin1'), { type: 'text/plain; charset=iso-8859-1' }],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]), { type: 'image/png' }],
  ['XML', '<a>b</a>', { type: 'application/xml' }],
  ['a list', '[1,2,3]', { type: JSON_TYPE }],
  ['a list of texts', '["a","b"]', { type: JSON_TYPE }],
  ['lists of other fields', 'ids[]=1&ids[]=2&action=delete', { type: FORM }],
  ['a list in its place', 'action[]=a&action[]=b', { type: FORM }],
  ['a list in its place in JSON', '{"action":["a","b"]}', { type: JSON_TYPE }],
  ['names twice', '{"a":1,"a":2}', { type: JSON_TYPE }],
  ['broken JSON', '{"action":', { type: JSON_TYPE }],
  ['a form that is not UTF-8', 'x=%ff&action=search', { type: FORM }],
  ['odd multipart', 'hello', { type: 'multipart/form-data' }],
  ['another charset', 'x=1', { type: `${FORM}; charset=utf-16` }],
  ['compressed text', gzipSync('hello'), { type: 'text/plain', encodings: ['gzip'] }],
  ['text in a charset with ASCII in it', 'x', { type: 'text/plain; charset=GB18030' }],
  ['escapes of anything else', '%5Cu0061b=%25%34%31&%%41%%%', { type: FORM }],
  ['a thousand fields', 'x=1&'.repeat(2_000), { type: FORM }],
];

for (const [what, body, sent] of PASSES) {
  test(`at an address with a condition ${what} passes`, async (t) => {
    t.is(await read(body, sent), 'passes');
  });
}

const JUDGED_OR_REFUSED: readonly (readonly [
  what: string,
  body: string | Buffer,
  sent: Sent,
  outcome: string | number,
])[] = [
  ['a form', 'action=register&email=a%40b.co', { type: FORM }, 'a@b.co'],
  ['a form with the value escaped', '%61ction=%72egister&email=a%40b.co', { type: FORM }, 'a@b.co'],
  [
    'JSON with the value escaped',
    '{"\\u0061ction":"regi\\u0073ter","email":"a@b.co"}',
    { type: JSON_TYPE },
    'a@b.co',
  ],
  ['JSON in capitals', '{"action":"REGISTER","email":"a@b.co"}', { type: JSON_TYPE }, 'a@b.co'],
  [
    'compressed JSON',
    gzipSync('{"action":"register","email":"a@b.co"}'),
    { type: JSON_TYPE, encodings: ['gzip'] },
    'a@b.co',
  ],
  ['text that is JSON', '{"action":"register","email":"a@b.co"}', { type: 'text/plain' }, 415],
  ['text that is a form', 'action=register&email=a%40b.co', { type: 'text/plain' }, 415],
  ['a form without a type', 'action=register&email=a%40b.co', {}, 415],
  ['JSON in UTF-16', Buffer.from('{"action":"register"}', 'utf16le'), { type: JSON_TYPE }, 400],
  ['JSON of Go with a long s', '{"action":"regi\u017fter","x":1,"a":1,"a":2}', { type: JSON_TYPE }, 400],
  ['a list in its place', 'action[]=register&email=a%40b.co', { type: FORM }, 400],
  ['a name twice', '{"action":"register","email":"a@b.co","email":"c@d.co"}', { type: JSON_TYPE }, 400],
  ['a value in the query', 'email=a%40b.co', { type: FORM, target: '/index.php?action=register' }, 'a@b.co'],
  ['a value in the query, and no body', '', { target: '/index.php?action=register' }, 'no email'],
  [
    'a value in the query, and text',
    'hello',
    { type: 'text/plain', target: '/index.php?action=register' },
    415,
  ],
  [
    'a transfer encoding that some decode',
    '--X\r\nContent-Disposition: form-data; name="action"\r\nContent-Transfer-Encoding: base64\r\n\r\ncmVnaXN0ZXI=\r\n--X--\r\n',
    { type: 'multipart/form-data; boundary=X' },
    400,
  ],
  ['an encoding that is not known', 'x', { type: JSON_TYPE, encodings: ['zstd'] }, 415],
  ['UTF-7', '+AHsAIgBhACI-', { type: `${JSON_TYPE}; charset=utf-7` }, 415],
  ['EBCDIC', Buffer.from([0x81, 0x83, 0xa3]), { type: `${FORM}; charset="ibm037"` }, 415],
  ['a charset with escapes between letters', 'acti\x1b(Bon', { type: `${FORM};charset=iso-2022-jp` }, 415],
  ['a value in base64 as its charset', partWith('action', 'charset=base64'), { type: MULTIPART }, 400],
  ['a value in UTF-7', partWith('action', 'charset="utf-7"'), { type: MULTIPART }, 400],
  ['a name in pieces', part('name*0="act"; name*1="ion"', 'register'), { type: MULTIPART }, 400],
  ['a name with a quoted letter', part('name="ac\\tion"', 'register'), { type: MULTIPART }, 400],
  ['a form escaped as in old servers', '%u0061ction=%u0072egister', { type: FORM }, 400],
  ['a form whose escapes are escaped', '%2561ction=%25%37%32egister&action=', { type: FORM }, 400],
];

function part(disposition: string, value: string, more = ''): string {
  return `--X\r\nContent-Disposition: form-data; ${disposition}${more}\r\n\r\n${value}\r\n--X--\r\n`;
}

function partWith(name: string, charset: string): string {
  return part(`name="${name}"`, '\xae\x08', `\r\nContent-Type: text/plain; ${charset}`);
}

for (const [what, body, sent, outcome] of JUDGED_OR_REFUSED) {
  test(`at an address with a condition ${what} that may be the signup does not pass`, async (t) => {
    t.is(await read(body, sent), outcome);
  });
}

test('a body counts by its email, or by a method, where the request depends on it', async (t) => {
  const put = { bodyCondition: 'email field', route: route('/signup', { methods: null }) } as const;
  t.is(await read('name=x', { ...put, type: FORM }), 'passes');
  t.is(await read('', put), 'passes');
  t.is(await read('hello', { ...put, type: 'text/plain' }), 'passes');
  t.is(await read('{"a":1,"a":2}', { ...put, type: JSON_TYPE }), 'passes');
  t.is(await read('email=a%40b.co', { ...put, type: FORM }), 'a@b.co');
  t.is(await read('{"\\u0065mail":"a@b.co"}', { ...put, type: JSON_TYPE }), 'a@b.co');
  t.is(await read('user[email]=a%40b.co', { ...put, type: FORM }), 'no email');
  t.is(await read('em%0aail=a%40b.co', { ...put, type: FORM }), 400);
  t.is(await read('ema%c4%b1l=a%40b.co', { ...put, type: FORM }), 400);
  t.is(await read(`${part('name="em"ail"', 'a@b.co')}--X--\r\n`, { ...put, type: MULTIPART }), 400);
  t.is(await read(`${part('name=":Email"', 'a@b.co')}--X--\r\n`, { ...put, type: MULTIPART }), 400);
  t.is(await read('{"em*" :"a@b.co"}', { ...put, type: JSON_TYPE }), 400);
  t.is(await read('{"Ema\\u002a":"a@b.co"}', { ...put, type: 'text/plain' }), 415);
  t.is(await read('{"*":"a@b.co","text":"**email**:"}', { ...put, type: JSON_TYPE }), 'passes');
  t.is(await read('{"@/*": [], "a": 1, "a": 2}', { ...put, type: 'text/plain' }), 'passes');
  const account = { ...put, route: route('/signup', { methods: null, email: ['user_email'] }) };
  t.is(await read('{"user_*":"a@b.co"}', { ...account, type: JSON_TYPE }), 400);
  t.is(await read('_method=post&x=1', { ...put, type: FORM }), 'no email');
  t.is(await read('newsletter=email', { ...put, type: FORM }), 'passes');
});

test('a variable in JSON inside a text is found with any escapes', async (t) => {
  const graphql = route('/index.php', { when: { operationName: 'signUp' }, email: ['variables.email'] });
  const escaped = '{"em\\u0061il":"a@b.co"}';
  const all = [...escaped].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  for (const variables of [encodeURIComponent(escaped), all])
    t.is(await read(`documentId=1&variables=${variables}`, { type: FORM, route: graphql }), 'a@b.co');
  const json = JSON.stringify({ documentId: '1', variables: escaped });
  t.is(await read(json, { type: JSON_TYPE, route: graphql }), 'a@b.co');
});

test('a GraphQL mutation is found with any method and any place of its email', async (t) => {
  const graphql = route('/index.php', { when: { operationName: 'signUp' }, email: ['variables.email'] });
  const put = { route: graphql, type: JSON_TYPE, bodyCondition: 'email field' } as const;
  const run = (query: string, variables = {}) => read(JSON.stringify({ query, variables }), put);
  t.is(await run('mutation { signUp(mail: "a@b.co") { id } }'), 400);
  t.is(await run('mutation ($m: String) { signUp(mail: $m) { id } }', { m: 'a@b.co' }), 400);
  t.is(
    await run('mutation ($email: String) { signUp(email: $email) { id } }', { email: 'a@b.co' }),
    'a@b.co',
  );
  t.is(await run('{ users { email } }'), 'passes');
  t.is(
    await read('mutation { signUp(mail: "a@b.co") { id } }', { ...put, type: 'application/graphql' }),
    415,
  );
  t.is(await read('{ users { email } }', { ...put, type: 'application/graphql' }), 'passes');
});

test('a condition on a header or the query decides without the body', async (t) => {
  const action = route('/rpc', { when: { 'header:next-action': { exists: true } } });
  t.is(await read('hello', { route: action, type: 'text/plain' }), 'passes');
  t.is(await read('hello', { route: action, type: 'text/plain', rawHeaders: ['Next-Action', '1'] }), 415);
});

test('forms say their charset, and the email is read by it', async (t) => {
  const plain = { route: route('/signup') };
  const latin = (charset: string) => ({ ...plain, type: `${FORM}; charset=${charset}` });
  for (const charset of [
    'ISO-8859-1',
    'windows-1252',
    '"iso-8859-15"',
    'US-ASCII',
    'latin1',
    '"utf-8"',
    'UTF8',
    'shift_jis',
  ])
    t.is(await read('email=a%40b.co&name=Ren', latin(charset)), 'a@b.co', charset);
  t.is(await read('email=a%40b.co&name=Ren%E9', latin('ISO-8859-1')), 'a@b.co');
  t.is(await read(Buffer.from('email=a@b.co&name=Ren\xe9', 'latin1'), latin('windows-1252')), 'a@b.co');
  // An app that reads every form as UTF-8 would read another mailbox.
  t.is(await read('email=ren%E9%40b.co', latin('iso-8859-1')), 400);
  t.is(await read('email=a%40b.co&name=%zz', latin('iso-8859-1')), 400);
  t.is(await read('email=a%40b.co&email=c%40d.co', latin('iso-8859-1')), 400);
  for (const charset of ['utf-16', 'utf-16le', 'utf-7', 'utf-32', 'iso-2022-jp', 'x'])
    t.is(await read('email=a%40b.co', latin(charset)), 415, charset);
  t.is(await read('{"email":"a@b.co"}', { ...plain, type: `${JSON_TYPE}; charset=iso-8859-1` }), 415);
});

test('a server action is judged by its email with any number of its form', async (t) => {
  const numbered = route('/index.php', { when: { '1_email': { exists: true } }, email: ['1_email'] });
  const sent = { type: FORM, route: numbered };
  for (const name of ['1_email', '7_email', '10_email'])
    t.is(await read(`0=["$K1"]&${name}=a%40b.co`, sent), 'a@b.co', name);
  t.is(await read('1_email=a%40b.co&2_email=c%40d.co', sent), 400);
  for (const name of ['email', '1_mail', 'x1_email', '1email'])
    t.is(await read(`${name}=a%40b.co`, sent), 'passes', name);
});

test('a search for the word at a front controller passes, and a signup there does not', async (t) => {
  const signup = route('/signup');
  const matcher = compileRoutes([signup]);
  const outcomeOf = async (target: string, body: string, type = FORM) => {
    const rawHeaders = ['Content-Type', type, 'Content-Length', `${body.length}`];
    const match = matcher.match({ method: 'POST', target, rawHeaders });
    if (match.kind !== 'gated') return match.kind;
    const [candidate] = match.candidates;
    return read(body, { type, target, route: signup, ...candidate });
  };
  for (const body of ['page=2&infinity=scrolling', 'x', ''])
    t.is(await outcomeOf('/?s=signup', body), 'passes', body);
  t.is(await outcomeOf('/index.php?q=signup', '{"page":2}', JSON_TYPE), 'passes');
  t.is(await outcomeOf('/?q=signup', 'email=a%40b.co'), 'a@b.co');
  t.is(await outcomeOf('/?/signup', '{"email":"a@b.co"}', JSON_TYPE), 'a@b.co');
  t.is(await outcomeOf('/?q=signup&email=a%40b.co', 'x=1'), 400);
  t.is(await outcomeOf('/?q=signup&email=a%40b.co', ''), 400);
  t.is(await outcomeOf('/?q=signup&email=a%40b.co', 'hello', 'text/plain'), 415);
  t.is(await outcomeOf('/?q=signup', 'Email=a%40b.co'), 400);
  t.is(await outcomeOf('/?q=signup', '{"email":"a@b.co"}', 'text/plain'), 415);
});

test('an email that is sent to a path with a condition passes, whatever its own encoding', async (t) => {
  const mail =
    'Content-Type: text/plain; charset=iso-2022-jp\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=';
  t.is(await read(mail, { type: 'message/rfc822' }), 'passes');
});

test('a condition on a text is read where the body has a boolean or a number in its place', async (t) => {
  const space = ' '.repeat(3_000);
  for (const value of ['true', ' TRUE'.toLowerCase(), '0', '0.0', '-0', '0e9', `${space}true`])
    for (const name of ['"action"', '"\\u0061ction"', `"action"${space}`])
      t.is(await read(`{"email":"a@b.example",${name}:${value}}`, { type: JSON_TYPE }), 'a@b.example', value);
  for (const body of [
    '{"action":"x","id":true',
    'action and 0',
    '{"action":"login","id":0,"id":1}',
    'actions: true',
  ])
    t.is(await read(body, { type: JSON_TYPE }), 'passes', body);
});
