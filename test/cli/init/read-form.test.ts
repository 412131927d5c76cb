import test from 'ava';
import { readSignupForm } from '../../../src/cli/init/read-form.ts';

const PAGE = 'http://localhost:3000/join';
const cases: readonly (readonly [title: string, html: string, form: ReturnType<typeof readSignupForm>])[] = [
  [
    'a plain form is sent to its action, with its email field',
    '<form method="post" action="/signup"><input type=email name=email><input type=password name=pw></form>',
    { path: '/signup', emailField: 'email', sharesPath: false },
  ],
  [
    'a form without an action is sent to its page',
    "<form method='POST'><input name='mail' type='text'></form>",
    { path: '/join', emailField: 'mail', sharesPath: false },
  ],
  [
    'a field in brackets, as Rails and PHP write it, keeps its name',
    '<form action="/users" method="post"><input type="email" name="user[email]"></form>',
    { path: '/users', emailField: 'user[email]', sharesPath: false },
  ],
  [
    'brackets as numbers and as names are read as brackets',
    '<form action="/users" method="post"><input type="email" name="user&#x5B;email&#93;&rsqb;&amp;#91;&none;"></form>',
    { path: '/users', emailField: 'user[email]]&#91;&none;', sharesPath: false },
  ],
  [
    'a form in a comment does not count',
    '<!-- <form method=post action=/old><input type=email name=mail></form> --><form method=post action=/new><input type=email name=email></form><!-- <form',
    { path: '/new', emailField: 'email', sharesPath: false },
  ],
  [
    'a path with escapes of UTF-8 or of Latin-1 is decoded as the gate decodes it',
    '<form method=post action="/caf%C3%A9/caf%E9/sign%up"><input type=email name=email></form>',
    { path: '/café/café/sign%up', emailField: 'email', sharesPath: false },
  ],
  [
    'a signup wins over a newsletter',
    '<form method=post action=/news><input type=email name=n></form><form method=post action=/register><input type=email name=e><input type=password name=p></form>',
    { path: '/register', emailField: 'e', sharesPath: false },
  ],
  [
    'a query that names the form says that the path has other forms too',
    '<form method=post action="/login.php?action=register"><input type=email name=user_email></form>',
    { path: '/login.php', emailField: 'user_email', sharesPath: true },
  ],
  [
    'a form that its query names wins over a newsletter',
    '<form method=post action=/news><input type=email name=n></form><form method=post action="/wiki.php?do=register"><input type=email name=e></form>',
    { path: '/wiki.php', emailField: 'e', sharesPath: true },
  ],
  [
    'a form of another site is not ours',
    '<form method=post action="https://other.example/"><input type=email name=e></form>',
    null,
  ],
  [
    'a line break in a name is no name for a route',
    '<form method=post action="/signup"><input type=email name="email&#10;  timeouts: x"></form>',
    null,
  ],
  [
    'a line break in a path is no path for a route',
    '<form method=post action="/a%0Ab"><input type=email name=email></form>',
    null,
  ],
  [
    'a > in quotes ends no tag, as in the attributes of Tailwind, Alpine and Stimulus',
    `<form class="[&>p]:mt-2" x-data="{ok: a => b}" method=post action='/users'><input data-action="input->form#check" placeholder = 'you > us' type=email name=email></form>`,
    { path: '/users', emailField: 'email', sharesPath: false },
  ],
  [
    'an apostrophe in a value without quotes opens no quote',
    "<form title=it's method=post action=/users><input alt=it's type=email name=email></form>",
    { path: '/users', emailField: 'email', sharesPath: false },
  ],
  [
    'an action is relative to the base of the page',
    '<head><base target=_top><base href="/portal/"></head><form method=post action=join><input type=email name=email></form>',
    { path: '/portal/join', emailField: 'email', sharesPath: false },
  ],
  [
    'a form without an action is sent to its page, also with a base',
    '<base href="/portal/"><form method=post><input type=email name=email></form>',
    { path: '/join', emailField: 'email', sharesPath: false },
  ],
  [
    'a path to which the page sends a login too has other forms',
    '<form method=post class=login><input name=username><input type=password name=pw></form><form method=post class=register><input type=email name=email><input type=password name=pw></form>',
    { path: '/join', emailField: 'email', sharesPath: true },
  ],
  [
    'a form that its class or id calls a signup wins over a login with the same path',
    '<form method=post id=login><input type=email name=login_email><input type=password name=pw></form><form method=post id=register-form><input type=email name=new_email><input type=password name=pw></form>',
    { path: '/join', emailField: 'new_email', sharesPath: true },
  ],
  [
    'a newsletter that its class calls a signup does not win over a form with a password',
    '<form method=post action=/subscribe class="join newsletter-signup"><input type=email name=EMAIL></form><form method=post action=/users><input type=email name=email><input type=password name=pw></form>',
    { path: '/users', emailField: 'email', sharesPath: false },
  ],
  ['a search form is none', '<form action=/search><input name=q></form>', null],
  ['a page without a form has none', '<div id="root"></div>', null],
];
for (const [title, html, form] of cases) {
  test(title, (t) => t.deepEqual(readSignupForm(html, PAGE), form));
}
