import test from 'ava';
import { FORM, MULTIPART, part, read } from './read-sent-body.ts';

test('a form that asks only for another method is no signup', async (t) => {
  for (const body of [
    // "Cancel my account" of Devise, and the same button of Laravel, Symfony and Phoenix.
    '_method=delete&authenticity_token=a%2Bb%3D%3D',
    'utf8=%E2%9C%93&_method=delete&authenticity_token=x&commit=Cancel+my+account',
    '_token=x&_method=DELETE',
    '_csrf_token=x&_method=delete&button=',
    '_method=patch',
  ])
    t.is(await read(body, { type: FORM }), null, body);
  const parts = `${part('_method', 'delete')}${part('authenticity_token', 'x')}--X--\r\n`;
  t.is(await read(parts, { type: MULTIPART }), null);
  t.is(await read('_method=delete', { type: FORM, target: '/signup?_method=delete' }), null);
});

test('a form that asks for another method is a signup when it has anything of a person', async (t) => {
  for (const body of [
    // Many apps ignore the field.
    '_method=delete&username=x&password=y',
    '_method=delete&id_token=x',
    '_method=delete&token=x&name=x',
    '_method=delete&token=x;name=x',
    '_method=put&user%5Bname%5D=x',
    // Not another method.
    '_method=post&authenticity_token=x',
    '_method=&authenticity_token=x',
    '_method=x&authenticity_token=x',
    'authenticity_token=x',
  ])
    t.deepEqual(await read(body, { type: FORM }), { email: null }, body);
  t.deepEqual(await read('_method=delete', { type: FORM, target: '/signup?name=x' }), { email: null });
  t.deepEqual(await read('_method=put', { type: FORM, route: { methods: ['PUT'] } }), { email: null });
  t.deepEqual(await read('_method=delete&email=a%40b.co', { type: FORM }), { email: 'a@b.co' });
  t.deepEqual(await read('_method=delete&email=', { type: FORM }), { email: null });
  t.deepEqual(await read('_method=delete&user%5Bemail%5D=a%40b.co', { type: FORM }), {
    email: null,
    others: ['a@b.co'],
  });
  t.is(await read('_method=delete&_method=delete', { type: FORM }), 400);
  t.is(
    await read('_method=delete&token=x%26email=a%40b.co', { type: FORM, target: '/signup?email=a%40b.co' }),
    400,
  );
});
