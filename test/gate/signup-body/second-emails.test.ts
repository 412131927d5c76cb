import test from 'ava';
import { type Case, FORM, MULTIPART, part, read, type Sent } from './read-sent-body.ts';

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
    'the end of a nested place',
    'user.email=a%40b.co&Email=c%40d.co',
    { type: FORM, route: { email: ['user.email'] } },
    ['c@d.co'],
  ],
  [
    'two segments of a place with three',
    'input[email]=c%40d.co&variables[input][email]=a%40b.co',
    { type: FORM, route: { email: ['variables.input.email'] } },
    ['c@d.co'],
  ],
  [
    'the end of a nested place in a part',
    `${part('user.email', 'a@b.co')}${part('email', 'c@d.co')}--X--`,
    { type: MULTIPART, route: { email: ['user.email'] } },
    ['c@d.co'],
  ],
  [
    'the end of a nested place in the query',
    'user.email=a%40b.co',
    { type: FORM, target: '/signup?email=c%40d.co', route: { email: ['user.email'] } },
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
  ['a member with another sign', '{"email":"a@b.co","_email":"c@d.co"}', {}, ['c@d.co']],
  [
    'a member with its words in camel case',
    '{"email_address":"a@b.co","emailAddress":"c@d.co"}',
    { route: { email: ['email_address'] } },
    ['c@d.co'],
  ],
  [
    'a nested member with its words in snake case',
    '{"newUser":{"emailAddress":"a@b.co"},"new_user":{"email-address":"c@d.co"}}',
    { route: { email: ['newUser.emailAddress'] } },
    ['c@d.co'],
  ],
  ['a member with a mark', '{"email":"a@b.co","émail":"c@d.co"}', {}, ['c@d.co']],
  ['a field in braces', 'email=a%40b.co&{email}=c%40d.co', { type: FORM }, ['c@d.co']],
  ['a field with another sign', 'email=a%40b.co&email-=c%40d.co', { type: FORM }, ['c@d.co']],
  [
    'a field with its words apart',
    'user[emailAddress]=a%40b.co&user[email%20address]=c%40d.co',
    { type: FORM, route: { email: ['user.emailAddress'] } },
    ['c@d.co'],
  ],
  [
    'the query with other signs',
    'email=a%40b.co',
    { type: FORM, target: '/signup?_email=c%40d.co' },
    ['c@d.co'],
  ],
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
  t.deepEqual(await read('{"e-mail":"a@b.co"}'), { email: null, others: ['a@b.co'] });
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
  ['another number', '{"email":"a@b.co","email2":"c@d.co","old_email":"e@f.co"}', {}, null],
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
