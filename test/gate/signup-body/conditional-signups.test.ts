import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, MULTIPART, part, read } from './read-sent-body.ts';

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

test('a null in JSON is there when the body has an email', async (t) => {
  const send = (body: string, place: string) =>
    read(body, { route: { when: { [place]: { exists: true } } } });
  t.deepEqual(await send('{"kind":null,"email":"a@b.co"}', 'kind'), { email: 'a@b.co' });
  t.is(await send('{"kind":null,"email":null}', 'kind'), null);
  t.is(await send('{"kind":null}', 'kind'), null);
  t.is(await send('{"email":null,"name":"x"}', 'email'), null);
  t.is(await send('{"email":"a@b.co"}', 'kind'), null);
});

test('a condition holds one object deeper in a form with an email, as binders read it', async (t) => {
  const exists = { when: { email: { exists: true } } } as const;
  const form = (body: string, changed: object = exists, target = '/account') =>
    read(body, { type: FORM, target, route: changed });
  // No other field is the email, so it is that of the signup.
  const found = { email: 'a@b.co' };
  t.deepEqual(await form('model.Email=a%40b.co&model.Password=x'), found);
  t.deepEqual(await form('user%5Bemail%5D=a%40b.co'), found);
  t.deepEqual(
    await read(`${part('Input.Email', 'a@b.co')}--X--\r\n`, { type: MULTIPART, route: exists }),
    found,
  );
  t.is(await form('model.csrf=x', exists, '/account?model.email=a%40b.co'), 400);
  t.is(await form('user%5Bemail%5D=&user%5Bname%5D=x'), null);
  t.is(await form('friends%5B0%5D.email=a%40b.co'), null);
  t.is(await read('{"user":{"email":"a@b.co"}}', { route: exists }), null);
  t.is(await read('a@b.co', { type: 'text/plain', target: '/?user.email=a%40b.co', route: exists }), null);

  const operation = { when: { op: 'signup' } };
  t.deepEqual(await form('model.op=signup&model.email=a%40b.co', operation), found);
  t.deepEqual(await form('model.email=a%40b.co', operation, '/account?model.op=signup'), found);
  t.deepEqual(await form('op=login&model.op=signup&model.email=a%40b.co', operation), found);
  t.deepEqual(await form('model.op=signup&model.email=a%40b.co&x.email=c%40d.co', operation), {
    email: null,
    others: ['a@b.co', 'c@d.co'],
  });
  t.is(await form('filter%5Bop%5D=signup&name=x', operation), null);
  t.is(await form('filter%5Bop%5D=login&email=a%40b.co', operation), null);

  const nested = { email: ['user.email'], when: { 'user.email': { exists: true } } } as const;
  t.deepEqual(await form('email=a%40b.co', nested), found);
  t.is(await form('name=x', nested), null);
});

test('a condition holds under a renamed member of JSON with an email', async (t) => {
  const operation = { email: ['email_address'], when: { operation_type: 'signup' } };
  const send = (body: object, changed: object = operation) => read(JSON.stringify(body), { route: changed });
  t.deepEqual(await send({ operationType: 'signup', email_address: 'a@b.co' }), { email: 'a@b.co' });
  t.deepEqual(await send({ operationType: 'SignUp', emailAddress: 'a@b.co' }), { email: 'a@b.co' });
  t.deepEqual(await send({ operation_type: 'login', _operationType: 'signup', email_address: 'a@b.co' }), {
    email: 'a@b.co',
  });
  const step = { when: { step_number: 2 } };
  t.deepEqual(await send({ stepNumber: 2, email: 'a@b.co' }, step), { email: 'a@b.co' });
  t.is(await send({ stepNumber: 1, email: 'a@b.co' }, step), null);
  t.is(await send({ operationType: 'signup', name: 'x' }), null);
  t.is(await send({ operationType: 'login', email_address: 'a@b.co' }), null);
  t.is(await send({ filter: { operation_type: 'signup' }, email_address: 'a@b.co' }), null);
});

test('an operation in an object that an app takes for a list is judged like one in a list', async (t) => {
  const rpc = { when: { method: 'signup' }, email: ['params.email'] };
  const send = (body: object, changed: object = rpc) => read(JSON.stringify(body), { route: changed });
  const signup = (email = 'a@b.co') => ({ method: 'signup', params: { email } });
  const found = { email: 'a@b.co' };
  t.deepEqual(await send([{ method: 'ping' }, signup()]), found);
  t.deepEqual(await send({ 0: signup() }), found);
  t.deepEqual(await send({ 0: { method: 'ping' }, 1: signup() }), found);
  t.deepEqual(await send({ 0: 7, x: signup() }), found);
  t.deepEqual(await send({ _json: [{ method: 'ping' }, signup()] }), found);
  t.is(await send({ 0: signup(), 1: signup('c@d.co') }), 400);
  t.is(await send({ ...signup(), 0: signup('c@d.co') }), 400);
  t.is(await send(Object.fromEntries(Array.from({ length: 101 }, () => signup()).entries())), 413);
  t.deepEqual(await send({ ...signup(), 0: { method: 'ping' } }), found);
  t.is(await send({ 0: { method: 'ping' }, 1: { method: 'login', params: { name: 'signup' } } }), null);
  t.is(await send({ 1: signup() }), null);
  t.is(await send({ name: signup() }), null);
  // The first procedure of a batch of tRPC.
  const batch = { when: { '0.kind': 'signup' }, email: ['0.email'] };
  t.deepEqual(await send({ 0: { kind: 'signup', email: 'a@b.co' } }, batch), found);
  const inHead = { when: { 'query:batch': { exists: true } }, email: ['0.email'] } as const;
  t.deepEqual(
    await read('{"0":{"email":"a@b.co"}}', { route: inHead, target: '/trpc/signup?batch=1' }),
    found,
  );
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
