import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';

const matcher = compileRoutes([
  route('/signup'),
  route('/account/register'),
  route('/wp-json/shop/v1/customers'),
]);
const kindOf = (target: string, rawHeaders: readonly string[] = []) =>
  matcher.match({ method: 'POST', target, rawHeaders }).kind;

const FRONTS = [
  '/',
  '/index.php',
  '/app.php',
  '/app_dev.php',
  '/index.cgi',
  '/main.php',
  '/x/y/index.php',
  '//',
  '/x/..',
  '/INDEX.PHP',
  '/index.php/x',
  '/%69ndex.php',
  '/.',
];

for (const front of FRONTS) {
  test(`a path in the query of ${front} is read`, (t) => {
    for (const query of [
      ...[
        '/signup',
        '/signup&x=1',
        '/Sign%75p/',
        '//signup',
        '%2fsignup',
        '/signup.json',
        '\\signup',
        '/x/../signup&q=1',
      ],
      ...[
        'rest_route=/signup',
        'pagename=signup',
        'q=signup',
        'r=account/register',
        'route=account/register',
      ],
      ...[
        'route=account%2Fregister',
        's=/signup',
        'url=signup/',
        '_url=/signup',
        '_route_=signup',
        'x=1&q=signup',
      ],
      ...[
        'x;q=signup',
        'Q=signup',
        '%71=signup',
        '+q=signup',
        'rest.route=/signup',
        'rest%20route=/signup',
        's=//signup',
      ],
      ...[
        'q=%2573ignup',
        'q=+signup',
        'q=x&q=signup',
        'rest_route=/shop/v1/customers',
        'q[]=signup',
        'q=signup?x=1',
      ],
      ...['.url=/signup', 'q=%73%69%67%6e%75%70', 'q=login,signup', 'q=SIGNUP', 's=signup;x'],
    ]) {
      t.is(kindOf(`${front}?${query}`), 'gated', query);
    }
    for (const query of [
      'x=/signup',
      'next=/signup',
      'q=signups',
      'q=',
      'signup',
      'x=1',
      'q=/x/signup',
      'q=login&x=signup',
    ])
      t.is(kindOf(`${front}?${query}`), 'pass', query);
  });
}

const post = (target: string) => ({ method: 'POST', target, rawHeaders: [] });

test('the folder of a front controller comes before the path in its query', (t) => {
  const shop = compileRoutes([route('/shop/account/register'), route('/shop/wp-json/a/b')]);
  for (const query of ['route=account/register', 'rest_route=/a/b'])
    t.is(shop.match(post(`/shop/index.php?${query}`)).kind, 'gated');
});

test('the query of any other path names no path', (t) => {
  for (const target of [
    '/public?/signup',
    '/search?q=signup',
    '/x/?q=signup',
    '/search.php?q=signup',
    '/x.json?/signup',
  ])
    t.is(kindOf(target), 'pass', target);
});

test('a path that a server rewrites to a query ends at an ampersand, or names another path behind it', (t) => {
  for (const target of [
    ...['/signup&x', '/signup%26x', '/signup%26x/y.php', '/signup&x/y?z'],
    ...['/x&q=signup', '/x%26_url=/signup', '/a/b&route=signup', '/x&a=1&q=/sign%75p'],
  ])
    t.is(kindOf(target), 'gated', target);
  t.is(compileRoutes([route('/shop/signup')]).match(post('/shop/x&q=/signup')).kind, 'gated');
  for (const target of ['/x&signup', '/x&y=signup', '/x&q=login', '/x&q=x/signup'])
    t.is(kindOf(target), 'pass', target);
});

test('a path in a query that servers read differently is refused', (t) => {
  for (const query of ['q=signup%00', 'q=x%252f..%252fsignup', 'q=signup%0a'])
    t.is(kindOf(`/?${query}`), 'refuse', query);
});

test("Gatekeeper's own paths do not count in a query", (t) => {
  t.is(kindOf('/?/.gatekeeper/x'), 'pass');
  t.is(kindOf('/?q=.gatekeeper'), 'pass');
});

test('a header that replaces the target brings its query with it', (t) => {
  t.is(kindOf('/x', ['X-Original-URL', '/index.php?route=account/register']), 'gated');
  t.is(kindOf('/x', ['X-Original-URL', '/index.php?route=account/login']), 'pass');
});
