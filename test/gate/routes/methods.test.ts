import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';

const FORM = ['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', '9'];
const CHUNKED = ['Content-Type', 'application/json', 'Transfer-Encoding', 'chunked'];
const OTHERS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'QUERY', 'M-SEARCH'];

const named = compileRoutes([route('/signup', { methods: ['POST'] })]);
const unnamed = compileRoutes([route('/signup', { methods: null })]);

/** The condition on the body, or the result of the match without one. */
function conditionOf(
  method: string,
  rawHeaders: readonly string[],
  { target = '/signup', matcher = unnamed } = {},
) {
  const match = matcher.match({ method, target, rawHeaders });
  return match.kind === 'gated' ? match.candidates[0]?.bodyCondition : match.kind;
}

for (const method of OTHERS) {
  test(`${method} with a body counts where the body holds the email, or names POST`, (t) => {
    for (const rawHeaders of [
      FORM,
      CHUNKED,
      ['Content_Length', '9'],
      ['Content-Type', 'image/png', ...FORM.slice(2)],
    ])
      t.is(conditionOf(method, rawHeaders), 'email field', rawHeaders.join());
    for (const rawHeaders of [FORM, CHUNKED])
      t.is(conditionOf(method, rawHeaders, { matcher: named }), 'method field');
    t.is(
      conditionOf(method, ['Content-Type', 'image/png', 'Content-Length', '9'], { matcher: named }),
      'pass',
    );
  });

  test(`${method} without a body passes, whatever route it names`, (t) => {
    for (const rawHeaders of [[], ['Content-Length', '0'], ['Content-Type', 'application/json']]) {
      t.is(conditionOf(method, rawHeaders), 'pass');
      t.is(conditionOf(method, rawHeaders, { matcher: named }), 'pass');
      t.is(conditionOf(method, rawHeaders, { target: '/%73ignup?email=a%40b.example' }), 'pass');
    }
  });

  test(`${method} is judged where a header or the query makes it a POST`, (t) => {
    for (const matcher of [named, unnamed]) {
      for (const name of ['X-HTTP-Method-Override', 'x_http_method', 'X-Method-Override'])
        t.is(conditionOf(method, [name, 'GET, post'], { matcher }), 'none', name);
      for (const query of [
        '_method=POST',
        '%5fmethod=+post',
        'x;_METHOD=POST',
        '.method=POST',
        '+_method=POST',
        '_method[]=POST',
        'X-Tunneled-Method=post',
        '%24httpMethod=POST',
      ])
        t.is(conditionOf(method, [], { matcher, target: `/signup?${query}` }), 'none', query);
      t.is(conditionOf(method, [], { matcher, target: '/signup?_method=DELETE' }), 'pass');
    }
  });
}

test('POST is judged whatever its body, and other methods only when the body may name the method', (t) => {
  t.is(conditionOf('POST', []), 'none');
  t.is(
    conditionOf('POST', FORM, { matcher: compileRoutes([route('/signup', { methods: ['PUT'] })]) }),
    'method field',
  );
});

test('an upload of any size and type may have the email', (t) => {
  const upload = (type: string, length: string) =>
    conditionOf('PUT', ['Content-Type', type, 'Content-Length', length]);
  t.is(upload('image/png', '2000000'), 'email field');
  t.is(upload('application/json', '2000000'), 'email field');
  t.is(conditionOf('PUT', ['Content-Type', 'image/png', 'Transfer-Encoding', 'chunked']), 'email field');
});

test('conditions on header fields and the query decide before the body is read', (t) => {
  const actions = compileRoutes([
    route('/**', { methods: null, when: { 'header:next-action': { exists: true } } }),
    route('/', { name: 'astro', when: { 'query:_action': 'signup' } }),
  ]);
  const kindOf = (target: string, rawHeaders: readonly string[]) =>
    actions.match({ method: 'POST', target, rawHeaders }).kind;
  t.is(kindOf('/pricing', FORM), 'pass');
  t.is(kindOf('/pricing', [...FORM, 'Next-Action', '7f3a']), 'gated');
  t.is(kindOf('/pri%63ing/', [...FORM, 'next_action', '7f3a']), 'gated');
  t.is(kindOf(`/${'%2f'.repeat(3_000)}`, FORM), 'pass');
  t.is(kindOf(`/${'a;/%2e\\'.repeat(1_500)}`, [...FORM, 'Next-Action', '7f3a']), 'refuse');
  t.is(kindOf('/?_action=signup', FORM), 'gated');
  t.is(kindOf('/?_action=login', FORM), 'pass');
  t.is(kindOf('/', FORM), 'pass');
});

test('a GET whose query may hold a document with the operation of a route is read, and every other GET passes', (t) => {
  const hidden = '/graphql?query=%7Bs%69gnUp%7D';
  for (const methods of [null, ['POST']]) {
    const matcher = compileRoutes([
      route('/graphql', { methods, when: { operationName: 'signUp' } }),
      route('/signup'),
    ]);
    for (const method of ['GET', 'HEAD', 'DELETE'])
      for (const target of [
        '/graphql?query={signup}',
        hidden,
        '/GraphQL/?query={signUp}',
        '/graphql%2f?{signUp',
      ])
        t.is(conditionOf(method, [], { target, matcher }), 'stored document', target);
    for (const target of [
      '/graphql?query={products}',
      '/graphql?signUp',
      '/graphql',
      '/signup?query={signUp}',
    ])
      t.is(conditionOf('GET', [], { target, matcher }), 'pass', target);
  }
  const matcher = compileRoutes([
    route('/graphql', { methods: ['GET', 'POST'], when: { operationName: 'signUp' } }),
  ]);
  t.is(conditionOf('GET', [], { target: hidden, matcher }), 'none');
});
