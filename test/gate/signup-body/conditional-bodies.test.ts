import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, JSON_TYPE, MULTIPART, part, read } from './read-under-condition.ts';

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
  t.is(await read(part('name="em"ail"', 'a@b.co'), { ...put, type: MULTIPART }), 400);
  t.is(await read(part('name=":Email"', 'a@b.co'), { ...put, type: MULTIPART }), 400);
  t.is(await read('{"em*" :"a@b.co"}', { ...put, type: JSON_TYPE }), 400);
  t.is(await read('{"Ema\\u002a":"a@b.co"}', { ...put, type: 'text/plain' }), 415);
  t.is(await read('{"*":"a@b.co","text":"**email**:"}', { ...put, type: JSON_TYPE }), 'passes');
  t.is(await read('{"@/*": [], "a": 1, "a": 2}', { ...put, type: 'text/plain' }), 'passes');
  const account = { ...put, route: route('/signup', { methods: null, email: ['user_email'] }) };
  t.is(await read('{"user_*":"a@b.co"}', { ...account, type: JSON_TYPE }), 400);
  t.is(await read('_method=post&x=1', { ...put, type: FORM }), 'no email');
  t.is(await read('newsletter=email', { ...put, type: FORM }), 'passes');
});

test('with any method, the email counts in JSON inside a field of a form too', async (t) => {
  const put = { bodyCondition: 'email field', type: MULTIPART } as const;
  const rpc = { ...put, route: route('/rpc/signup', { methods: null, email: ['json.email'] }) };
  const send = (data: string) => read(part('name="data"', data), rpc);
  // oRPC reads a form like this, with any method.
  t.is(await send('{"json":{"email":"a@b.co"},"meta":[],"maps":[]}'), 'no email');
  t.is(await send('{"json":{"name":"Ann"},"meta":[],"maps":[]}'), 'passes');
  t.is(await send('{"json":{"note":"email me"}}'), 'passes');
  const plain = { ...put, type: FORM, route: route('/signup', { methods: null }) };
  t.is(await read('_payload=%7B%22email%22%3A%22a%40b.co%22%7D', plain), 'no email');
  t.is(await read('_payload=%7B%22email%22%3A%22%22%7D', plain), 'passes');
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
