import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { kindOf } from './kind-of.ts';

test('a method override in a header or the query is judged as the method it names', (t) => {
  for (const name of [
    'X-HTTP-Method-Override',
    'x-http-method',
    'X-Method-Override',
    'X_HTTP_METHOD_OVERRIDE',
  ]) {
    t.is(kindOf('/signup', 'GET', [name, 'post']), 'gated', name);
  }
  for (const query of [
    '_method=POST',
    '_method=post',
    '%5fmethod=POST',
    'x=1&_METHOD=POST',
    '_metho%64=POST',
  ]) {
    t.is(kindOf(`/signup?${query}`, 'GET'), 'gated', query);
  }
  t.is(kindOf('/signup?_method=DELETE', 'GET'), 'pass');
});

test('the method of a preflight counts beside a body, which no preflight of a browser has', (t) => {
  const matcher = compileRoutes([route('/signup', { methods: ['POST'] })]);
  const asked = ['Access-Control-Request-Method', 'POST'];
  for (const framing of [
    ['Content-Length', '9'],
    ['Transfer-Encoding', 'chunked'],
  ])
    t.is(kindOf('/signup', 'OPTIONS', [...asked, ...framing], matcher), 'gated', framing[0]);
  const picture = ['Content-Length', '9', 'Content-Type', 'image/png'];
  t.is(kindOf('/signup', 'OPTIONS', picture, matcher), 'pass');
  t.is(kindOf('/signup', 'OPTIONS', [...asked, ...picture], matcher), 'gated');
  for (const target of ['/signup', '/signup?email=jane@corp.example'])
    t.is(
      kindOf(target, 'OPTIONS', ['Origin', 'https://a.example', ...asked, 'Content-Length', '0'], matcher),
      'pass',
    );
});

test('a POST whose body may name the method of a route is a candidate that waits for the body', (t) => {
  const matcher = compileRoutes([route('/signup', { methods: ['PUT'] })]);
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ]) {
    const rawHeaders = ['content-type', type];
    const match = matcher.match({ method: 'POST', target: '/signup', rawHeaders });
    t.like(match, { kind: 'gated', candidates: [{ bodyCondition: 'method field' }] }, type);
    t.is(kindOf('/signup', 'GET', rawHeaders, matcher), 'pass');
  }
  t.is(kindOf('/signup', 'POST', ['Content-Type', 'image/png'], matcher), 'pass');
});

test('a header that can replace the path is read like another target', (t) => {
  for (const name of [
    'X-Original-URL',
    'x-rewrite-url',
    'X-Forwarded-Uri',
    'X_Original_URL',
    'X.Original.URL',
  ]) {
    t.is(kindOf('/', 'POST', [name, '/signup']), 'gated', name);
    t.is(kindOf('/', 'POST', [name, '/a/%2e%2e/SIGNUP']), 'gated', name);
    t.is(kindOf('/', 'POST', [name, '/other']), 'pass', name);
  }
});

test('a header that cuts a prefix off the path is read as its framework reads it', (t) => {
  for (const name of ['SCRIPT_NAME', 'Script-Name', 'X-Script-Name']) {
    t.is(kindOf('/x/signup', 'POST', [name, '/x']), 'gated', name);
    t.is(kindOf('/x/signup', 'POST', [name, '/x/']), 'gated', name);
    t.is(kindOf('/x/%73ignup', 'POST', [name, '/x']), 'gated', name);
    t.is(kindOf('/x/other', 'POST', [name, '/x']), 'pass', name);
    t.is(kindOf('/x/signup', 'POST', [name, '/y']), 'pass', name);
  }
  t.is(kindOf('/x', 'POST', ['PATH_INFO', '/signup']), 'gated');
});

test('bytes of a header that spell a path in UTF-8 are read as that', (t) => {
  const value = Buffer.from('/\u017fignup').toString('latin1');
  t.is(kindOf('/', 'POST', ['X-Original-URL', value]), 'gated');
});
