import test from 'ava';
import type { AccountDependencies } from '../../../src/dashboard/accounts/account-dependencies.ts';
import { registerPages } from '../../../src/dashboard/dashboard-app.ts';
import { createRouter } from '../../../src/dashboard/router.ts';
import { startApp, startReview } from './review-server.ts';

/** Pages without a session, pages of one's own account, and what support is for. All other routes refuse support. */
const ALLOWED = new Set([
  ...['GET /', 'GET /static/:name', 'GET /sign-in', 'POST /sign-in', 'POST /sign-out'],
  ...['GET /register', 'POST /register', 'GET /forgotten', 'POST /forgotten', 'GET /links/:token'],
  ...['POST /links/:token', 'GET /mailbox', 'POST /sign-in/passkey/options', 'POST /sign-in/passkey'],
  ...['GET /sign-in/second-step', 'POST /sign-in/second-step', 'POST /sign-in/second-step/passkey'],
  ...['POST /account/passkeys', 'POST /account/passkeys/options', 'POST /account/passkeys/remove'],
  ...['GET /account/two-factor', 'POST /account/two-factor/begin', 'POST /account/two-factor/on'],
  ...['POST /account/two-factor/off', 'POST /account/two-factor/recovery-codes'],
  ...['POST /account/two-factor/passkey', 'POST /account/two-factor/passkey/options'],
  ...['POST /account/two-factor/confirm', 'POST /account/two-factor/confirm/options'],
  ...['GET /account', 'POST /account/password', 'POST /account/email', 'POST /account/sessions'],
  ...['GET /decisions', 'GET /decisions/rows', 'GET /decisions/:id', 'GET /search', 'POST /search'],
  ...['POST /decisions/:id/list', 'POST /decisions/:id/unlist'],
  ...['GET /review', 'POST /review/:id/let-in', 'POST /review/:id/mail', 'POST /review/:id/extend'],
  ...['POST /review/:id/shorten', 'POST /review/:id/refuse', 'POST /review/:id/restore'],
]);

/** Every method and path of the dashboard. */
function routesOfDashboard(): { readonly method: string; readonly path: string }[] {
  const router = createRouter();
  const none = { records: {}, accounts: {}, clock: Date.now } as unknown as AccountDependencies;
  registerPages(router, none);
  return router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path) })),
  );
}

test('support gets 404 from every route that is not for it, and a stranger signs in first', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const id = await server.signUp('/held');
  const routes = routesOfDashboard();
  t.true(routes.length > 40);
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    if (ALLOWED.has(name)) continue;
    const url = path.replace(/:\w+/g, id);
    const { status } =
      method === 'GET' ? await support.get(url) : await support.post(url, { label: 'fraud' });
    t.is(status, 404, name);
  }
  t.is((await server.records.decisionSearch.find(id, null))?.label, null);
  t.is((await server.stranger().get('/review')).status, 303);
  t.is((await (await server.signIn('member')).get('/review')).status, 404);
});

test('support opens the desk first, sees all decisions, and finds them by the search', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const id = await server.signUp('/held');
  t.is((await support.get('/')).headers.get('location'), '/review');
  const unknown = (await server.stranger().get('/')).headers.get('location');
  t.is(unknown, '/sign-in?next=%2F', 'the page after signing in depends on the role');
  const list = await support.get('/decisions');
  t.true(list.body.includes(id));
  t.false(list.body.includes('/decisions/export.csv'));
  const searched = await support.post('/search', { q: id });
  t.is(
    (await support.get(searched.headers.get('location') ?? '')).headers.get('location'),
    `/decisions/${id}`,
  );
  const page = (await support.get(`/decisions/${id}`)).body;
  t.false(page.includes(`/decisions/${id}/label`));
  t.false(page.includes('deny mailbox'));
  t.true(page.includes('allow mailbox'));
});

test('support allows one mailbox, undoes its own entry, and adds or removes nothing else', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const operator = await server.signIn('operator');
  const id = await server.signUp('/held');
  for (const what of ['deny mailbox', 'allow domain', 'allow network', 'deny domain']) {
    const { status } = await support.post(`/decisions/${id}/list`, { what });
    t.true(status === 403, `${what}: ${status}`);
  }
  const entries = () => server.records.listEntries.page({ after: null, limit: 10, filter: {} });
  t.is((await entries()).length, 0);
  const { headers } = await support.post(`/decisions/${id}/list`, { what: 'allow mailbox' });
  t.regex(headers.get('location') ?? '', /done=listed/);
  const [own] = await entries();
  t.like(own, { list: 'allow', kind: 'mailbox' });
  await support.post(`/decisions/${id}/unlist`, { entry: String(own?.id) });
  t.is((await entries()).length, 0);
  await operator.post(`/decisions/${id}/list`, { what: 'allow mailbox' });
  const [ofOperator] = await entries();
  t.is((await support.post(`/decisions/${id}/unlist`, { entry: String(ofOperator?.id) })).status, 403);
  t.is((await entries()).length, 1);
});

test('an operator invites support, and the last operator cannot become support', async (t) => {
  const server = await startReview(t, (await startApp(t)).url);
  const operator = await server.signIn('operator');
  const invited = await operator.post('/accounts', {
    email: 's@example.com',
    role: 'support',
    plan: 'hobby',
  });
  t.is(invited.headers.get('location'), '/accounts?done=invited');
  t.is((await server.records.users.findByEmail('s@example.com'))?.role, 'support');
  const { status } = await operator.post(`/accounts/${operator.accountId}/role`, { role: 'support' });
  t.is(status, 409);
});
