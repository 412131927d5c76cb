import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';
import { FORM, read } from './read-sent-body.ts';

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
