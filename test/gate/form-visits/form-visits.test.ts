import { request as httpRequest } from 'node:http';
import test from 'ava';
import { route } from '../../helpers/routes.ts';
import { until } from '../../helpers/until.ts';
import { openGateServer } from '../gate-server.ts';
import { BROWSER, FORM, headersOf, openSeasoned, STRANGER, signUp, visit } from './seasoned-server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ABSENT = { secondsBefore: null, knownHours: 2 };

test('a visit of the page before the signup is known, with its age', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/signup?plan=pro');
  server.clock.now += 12_000;
  t.deepEqual(await signUp(server), { secondsBefore: 12, knownHours: 2 });
});

test('a signup without a visit is known as such', async (t) => {
  const server = await openSeasoned(t);
  t.deepEqual(await signUp(server), ABSENT);
});

test('another page is no visit, nor is the page with a method other than GET', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/');
  await visit(server, '/signup/help');
  await fetch(`${server.url}/signup`, { method: 'HEAD', headers: headersOf({}) });
  t.deepEqual(await signUp(server), ABSENT);
});

test('the page counts only when the app has delivered it', async (t) => {
  let status = 200;
  const server = await openGateServer(t, {
    routes: FORM,
    proxy: { trusted_proxies: ['127.0.0.1/32'] },
    app: (_request, response) => void response.writeHead(status).end(),
  });
  await visit(server, '/signup', STRANGER);
  server.clock.now += 2 * HOUR;
  await visit(server, '/signup', STRANGER);
  for (status of [404, 302, 500]) await visit(server, '/signup');
  t.deepEqual(await signUp(server), ABSENT);
  status = 304;
  await visit(server, '/signup');
  t.like(await signUp(server), { secondsBefore: 0 });
});

test('each page of a list counts, and for any every page does', async (t) => {
  const listed = await openSeasoned(t, { routes: [route('/signup', { form: ['/signup', '/join'] })] });
  await visit(listed, '/join');
  t.like(await signUp(listed), { secondsBefore: 0 });
  const any = await openSeasoned(t, { routes: [route('/signup', { form: ['any'] })], warm: '/' });
  t.deepEqual(await signUp(any), ABSENT);
  await visit(any, '/imprint');
  t.like(await signUp(any), { secondsBefore: 0 });
});

test('a visit of the page of one route says nothing about another route', async (t) => {
  const routes = [route('/signup', { form: ['/join'] }), route('/other', { form: ['/other'] })];
  const server = await openSeasoned(t, { routes, warm: '/join' });
  await visit(server, '/other');
  t.deepEqual(await signUp(server), ABSENT);
});

test('a route without a form knows nothing of visits', async (t) => {
  const server = await openSeasoned(t, {
    routes: [route('/signup'), route('/b', { form: ['/b'] })],
    warm: '/b',
  });
  t.is(await signUp(server), null);
});

test('an address of the same network counts, another browser or network does not', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/signup', { ip: '198.51.100.200' });
  await visit(server, '/signup', { ip: '2001:db8:1:2::3' });
  // Later than the other kind of address counts.
  server.clock.now += 11 * MINUTE;
  t.like(await signUp(server, { ip: '198.51.100.7' }), { secondsBefore: 660 });
  t.like(await signUp(server, { ip: '2001:db8:1:ffff::9' }), { secondsBefore: 660 });
  t.like(await signUp(server, { ip: '198.51.101.7' }), ABSENT);
  t.like(await signUp(server, { ip: '2001:db8:2::9' }), ABSENT);
  t.like(await signUp(server, { userAgent: 'curl/8.5.0' }), ABSENT);
});

test('a page over IPv4 and a form over IPv6 are one visitor for ten minutes, and the other way round', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/signup', { ip: '198.51.100.7' });
  server.clock.now += 9 * MINUTE;
  t.like(await signUp(server, { ip: '2001:db8:1::1' }), { secondsBefore: 540 });
  t.like(await signUp(server, { ip: '203.0.113.9' }), ABSENT);
  server.clock.now += 2 * MINUTE;
  t.like(await signUp(server, { ip: '2001:db8:1::1' }), ABSENT);
  await visit(server, '/signup', { ip: '2001:db8:1::1' });
  t.like(await signUp(server, { ip: '203.0.113.9' }), { secondsBefore: 0 });
});

test('a visit counts for 24 hours', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/signup');
  server.clock.now += 23 * HOUR;
  await visit(server, '/signup', STRANGER);
  t.deepEqual(await signUp(server), { secondsBefore: 23 * 3_600, knownHours: 24 });
  server.clock.now += 2 * HOUR;
  t.deepEqual(await signUp(server), { secondsBefore: null, knownHours: 24 });
});

test('a bot that loads the page first is not noticed', async (t) => {
  const server = await openSeasoned(t);
  await visit(server, '/signup', { userAgent: 'python-requests/2.32.3' });
  t.like(await signUp(server, { userAgent: 'python-requests/2.32.3' }), { secondsBefore: 0 });
});

test('a signup on a GraphQL route has its page too', async (t) => {
  const routes = [
    route('/graphql', {
      name: 'web',
      when: { operationName: 'SignUp' },
      email: ['variables.email'],
      form: ['/join'],
    }),
  ];
  const server = await openSeasoned(t, { routes, warm: '/join' });
  const post = () =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf({}) },
      body: JSON.stringify({
        operationName: 'SignUp',
        query: 'mutation SignUp($email: String!) { signUp(email: $email) { id } }',
        variables: { email: 'low@example.com' },
      }),
    });
  await (await post()).arrayBuffer();
  t.deepEqual(server.judged.at(-1)?.formVisit, ABSENT);
  await visit(server, '/join');
  await (await post()).arrayBuffer();
  t.like(server.judged.at(-1)?.formVisit, { secondsBefore: 0 });
});

test('the visit counts from the head of the answer on, while the page still streams', async (t) => {
  const open: (() => void)[] = [];
  const server = await openGateServer(t, {
    routes: FORM,
    app: (request, response) => {
      response.writeHead(200).write('<form>');
      if (request.method === 'POST') response.end();
      else open.push(() => void response.end('</form>'));
    },
  });
  const page = httpRequest(`${server.url}/signup`, { headers: { 'user-agent': BROWSER } });
  t.teardown(() => void page.destroy());
  await new Promise((resolve) => page.on('response', resolve).end());
  await until(() => open.length === 1);
  const answer = await server.signUp('low@example.com', { 'user-agent': BROWSER });
  await answer.arrayBuffer();
  t.like(server.judged.at(-1)?.formVisit, { secondsBefore: 0 });
  open[0]?.();
});
