import test from 'ava';
import { route } from '../../helpers/routes.ts';
import { openGateServer } from '../gate-server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('a body that looks like a signup and passes is counted by method and path', async (t) => {
  const gate = await openGateServer(t);
  const post = (path: string, body: string | ReadableStream, headers: Record<string, string> = FORM) =>
    fetch(`${gate.url}${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  t.is((await post('/join?from=ad', 'email=ann%40example.com')).status, 201);
  await post('/join', JSON.stringify({ email: 'bob@example.com' }), { 'content-type': 'application/json' });
  await post('/comment', 'text=Hello');
  await post('/signup', 'email=cat%40example.com');
  const stream = new Blob(['email=dan%40example.com']).stream();
  await post('/chunked', stream);
  await fetch(`${gate.url}/account`, { method: 'PUT', headers: FORM, body: 'mail=a%40b.co&password=x' });
  t.deepEqual(
    gate.gate.unjudgedSignups().map(({ lastAt: _, ...group }) => group),
    [
      { method: 'POST', path: '/join', email: 'email', isReadable: true, sharesPath: true, count: 2 },
      { method: 'PUT', path: '/account', email: 'mail', isReadable: true, sharesPath: false, count: 1 },
      { method: 'POST', path: '/chunked', email: 'email', isReadable: true, sharesPath: false, count: 1 },
    ].sort((a, b) => b.count - a.count || a.path.localeCompare(b.path, 'en')),
  );
  const lines = gate.log.filter((line) => line.includes('looks like a signup'));
  t.is(lines.length, 3);
  t.false(gate.log.join('').includes('example.com'));
  t.false(JSON.stringify(gate.gate.unjudgedSignups()).includes('example.com'));
  const counter = gate.metrics.counters.find(({ name }) => name === 'gate_unjudged_signups_total');
  t.deepEqual(new Map(counter?.series()).size, 3);
});

test('the warning names the API for a format that the gate cannot read', async (t) => {
  const gate = await openGateServer(t);
  await fetch(`${gate.url}/soap`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: '<Register><email>ann@example.com</email><password>x</password></Register>',
  });
  t.like(gate.gate.unjudgedSignups()[0], { path: '/soap', email: 'email', isReadable: false });
  const [line = ''] = gate.log.filter((text) => text.includes('looks like a signup'));
  t.regex(line, /the gate cannot read its format.*POST \/score-signup/);
});

test('a path of many operations needs a condition in its route', async (t) => {
  const gate = await openGateServer(t);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: 'mutation', variables: { email: 'ann@example.com' } });
  await fetch(`${gate.url}/graphql`, { method: 'POST', headers: json, body });
  t.like(gate.gate.unjudgedSignups()[0], { email: 'variables.email', isReadable: true, sharesPath: true });
});

test('a body that only misses the condition of a route for many paths is counted', async (t) => {
  const gate = await openGateServer(t, {
    routes: [
      route('/users/**', { when: { email: { exists: true } } }),
      route('/graphql', { when: { action: 'signup' } }),
    ],
  });
  const json = { 'content-type': 'application/json' };
  const requests = [{ body: { email: 'ann@example.com', password: 'x' } }];
  const post = (path: string, body: unknown) =>
    fetch(`${gate.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  await post('/users/$batch', { requests });
  await post('/users/$batch', { requests: [] });
  await post('/users/new', { email: 'ann@example.com' });
  await post('/graphql', { action: 'login', email: 'ann@example.com' });
  t.deepEqual(
    gate.gate
      .unjudgedSignups()
      .map(({ path, email, isReadable, count }) => ({ path, email, isReadable, count })),
    [{ path: '/users/$batch', email: 'requests.body.email', isReadable: false, count: 1 }],
  );
});

test('a login at the path that a route for all paths below it names is not counted', async (t) => {
  const gate = await openGateServer(t, {
    routes: [
      route('/graphql/**', { email: ['variables.email'], when: { operationName: 'signUp' } }),
      route('/**', { when: { action: 'signup' } }),
    ],
  });
  const json = { 'content-type': 'application/json' };
  const login = (url: string) => {
    const query = 'mutation ($email: String!) { login(email: $email) }';
    const body = JSON.stringify({ query, variables: { email: 'ann@example.com' } });
    return fetch(`${gate.url}${url}`, { method: 'POST', headers: json, body });
  };
  for (const path of ['/graphql', '/GraphQL/', '/graphql/admin', '/']) await login(path);
  const paths = gate.gate.unjudgedSignups().map(({ path }) => path);
  t.deepEqual(paths.sort(), ['/', '/graphql/admin']);
});

test('paths that the app does not handle are not counted', async (t) => {
  const gate = await openGateServer(t, {
    app: (request, response) => {
      request.resume();
      response.statusCode = request.url === '/invalid' ? 422 : 404;
      response.end();
    },
  });
  for (const path of ['/none', '/invalid'])
    await fetch(`${gate.url}${path}`, { method: 'POST', headers: FORM, body: 'email=a%40b.co' });
  t.deepEqual(
    gate.gate.unjudgedSignups().map(({ path }) => path),
    ['/invalid'],
  );
});

test('every signup is forwarded unchanged, checked or not', async (t) => {
  const gate = await openGateServer(t, { routes: [route('/signup')] });
  const body = `email=ann%40example.com&pad=${'x'.repeat(300_000)}`;
  await fetch(`${gate.url}/join`, { method: 'POST', headers: FORM, body });
  t.is(gate.upstream.requests[0]?.body.toString(), body);
  t.is(gate.gate.unjudgedSignups().length, 1);
});

test('proxy.watch: false looks at nothing', async (t) => {
  const gate = await openGateServer(t, { proxy: { watch: false } });
  await fetch(`${gate.url}/join`, { method: 'POST', headers: FORM, body: 'email=a%40b.co' });
  t.deepEqual(gate.gate.unjudgedSignups(), []);
});

test('a flood is counted from a sample', async (t) => {
  const gate = await openGateServer(t);
  const send = () => fetch(`${gate.url}/join`, { method: 'POST', headers: FORM, body: 'email=a%40b.co' });
  for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 10 }, send));
  // The clock of these tests does not move: all of it is one second.
  t.is(gate.gate.unjudgedSignups()[0]?.count, 200);
  gate.clock.now += 1_000;
  await send();
  t.is(gate.gate.unjudgedSignups()[0]?.count, 201);
});
