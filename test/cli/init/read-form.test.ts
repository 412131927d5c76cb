import test from 'ava';
import { readSignupForm } from '../../../src/cli/init/read-form.ts';

const PAGE = 'http://localhost:3000/join';
const cases: readonly (readonly [title: string, html: string, form: ReturnType<typeof readSignupForm>])[] = [
  [
    'a plain form is sent to its action, with its email field',
    '<form method="post" action="/signup"><input type=email name=email><input type=password name=pw></form>',
    { path: '/signup', emailField: 'email' },
  ],
  [
    'a form without an action is sent to its page',
    "<form method='POST'><input name='mail' type='text'></form>",
    { path: '/join', emailField: 'mail' },
  ],
  [
    'a field in brackets, as Rails and PHP write it, keeps its name',
    '<form action="/users" method="post"><input type="email" name="user[email]"></form>',
    { path: '/users', emailField: 'user[email]' },
  ],
  [
    'a signup wins over a newsletter',
    '<form method=post action=/news><input type=email name=n></form><form method=post action=/register><input type=email name=e><input type=password name=p></form>',
    { path: '/register', emailField: 'e' },
  ],
  [
    'a form of another site is not ours',
    '<form method=post action="https://other.example/"><input type=email name=e></form>',
    null,
  ],
  ['a search form is none', '<form action=/search><input name=q></form>', null],
  ['a page without a form has none', '<div id="root"></div>', null],
];
for (const [title, html, form] of cases) {
  test(title, (t) => t.deepEqual(readSignupForm(html, PAGE), form));
}
