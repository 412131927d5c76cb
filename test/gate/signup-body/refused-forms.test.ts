import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { type Case, FORM, read } from './read-sent-body.ts';

const WHEN_EMAIL: Partial<RouteConfig> = { when: { email: { exists: true } } };

const REFUSED: readonly Case[] = [
  ...["user['email']", 'user["email"]', "user('email')"].map(
    (name): Case => [
      `a second email under the name ${name}, which Struts or Spring accepts`,
      `user[email]=a%40b.co&${encodeURIComponent(name)}=c%40d.co`,
      { type: FORM, route: { email: ['user.email'] } },
      400,
    ],
  ),
  ['an email in the query alone', 'x=1', { type: FORM, target: '/signup?email=c@d.co' }, 400],
  ['a NUL in a form', 'email=a%40b.co%00', { type: FORM }, 400],
  ['a field twice', 'email=a%40b.co&email=c%40d.co', { type: FORM }, 400],
  ['a direction of the text that is no direction', 'email=a%40b.co&email.dir=c%40d.co', { type: FORM }, 400],
  ['a direction under another name', 'email=a%40b.co&email[x]=ltr', { type: FORM }, 400],
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
  ['a NUL that SWI-Prolog splits at', 'x=1\0email=c%40d.co&email=a%40b.co', { type: FORM }, 400],
  ['a broken escape', 'email=a%40b.co&x=%zz', { type: FORM }, 400],
  ['an escape that is not UTF-8', 'email=a%40b.co&x=%ff', { type: FORM }, 400],
  ['an address with escapes in mixed case', 'email=a%40b.%cC%aAco', { type: FORM }, 400],
  ['a second name with escapes in mixed case', 'e%Cc%Aamail=c%40d.co&email=a%40b.co', { type: FORM }, 400],
  ['the 1,001st field', `${'x=1&'.repeat(1000)}email=a%40b.co`, { type: FORM }, 413],
  ['a prototype in a form', '__proto__[email]=c&email=a%40b.co', { type: FORM }, 400],
  [
    'JSON as a field on the way',
    'user={"email":"a@b.co"}',
    { type: FORM, route: { email: ['user.email'] } },
    400,
  ],
  ['a bracket of PHP', 'user[email=a%40b.co', { type: FORM, route: { email: ['user_email'] } }, 400],
  ['a very long name', `${'a'.repeat(2_000)}=1&email=a%40b.co`, { type: FORM }, 400],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`${what} is refused with ${status}`, async (t) => {
    t.deepEqual(await read(body, sent), status);
  });
}
