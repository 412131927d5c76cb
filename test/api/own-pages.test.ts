import test from 'ava';
import { openApiDocument } from '../../src/api/openapi.ts';
import { openApiServer } from './api-server.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('the root of the API names its documents, as JSON for programs and as a page for browsers', async (t) => {
  const server = await openApiServer(t);
  const json = await fetch(`${server.url}/`);
  t.is(json.status, 200);
  t.is(json.headers.get('content-type'), 'application/json');
  t.like(await json.json(), { docs: '/docs', openapi: '/openapi.json', health: '/livez' });
  const page = await fetch(`${server.url}/`, { headers: BROWSER });
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const text = await page.text();
  for (const link of ['/docs', '/openapi.json', '/livez']) t.true(text.includes(`href="${link}"`), link);
});

test('the reference shows every route, field and code of the OpenAPI document, and loads nothing', async (t) => {
  const server = await openApiServer(t);
  const answer = await fetch(`${server.url}/docs`);
  t.is(answer.status, 200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  t.true(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
  t.true(policy.endsWith("frame-ancestors 'self'"), policy);
  t.is(answer.headers.get('x-frame-options'), 'SAMEORIGIN', 'both fields have one rule');
  const text = await answer.text();
  t.false(/<script|<link|<img|src=|@import|url\(/i.test(text));
  t.true(text.includes('<code>enforce</code> or <code>monitor</code>'));
  t.false(text.includes('`'));
  t.true(text.includes('<code>factors[].<wbr>findings[].<wbr>code</code>'));
  const document = openApiDocument() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods))
      t.true(text.includes(`<code>${method.toUpperCase()} ${path}</code>`));
  }
  for (const [name, { properties }] of Object.entries(document.components.schemas)) {
    t.true(text.includes(`id="${name}"`), name);
    for (const field of Object.keys(properties)) t.true(text.includes(`<code>${field}</code>`), field);
  }
  for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g))
    t.true(text.includes(`id="${target}"`), target);
});

test('an unknown route points to the reference, and to the route that was probably meant', async (t) => {
  const server = await openApiServer(t);
  const detailOf = async (path: string) =>
    ((await (await fetch(server.url + path, { method: 'POST' })).json()) as { readonly detail: string })
      .detail;
  t.is(await detailOf('/nothing-like-it'), 'The API has no such route. GET /docs lists all routes.');
  for (const path of [
    '/score_signup',
    '/Score-Signup',
    '/score-signup/',
    '/api/score-signup',
    '/v1/score-signups',
  ]) {
    t.is(
      await detailOf(path),
      'The API has no such route. Did you mean /score-signup? GET /docs lists all routes.',
      path,
    );
  }
});

test('fields under other names are named in the problem, and the key in another header too', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const ask = async (body: object, headers: Readonly<Record<string, string>> = { 'x-api-key': key }) => {
    const answer = await fetch(`${server.url}/score-signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { readonly detail: string }).detail;
  };
  const email = 'ada@company.example';
  const ip = '2.125.160.216';
  for (const name of ['ip', 'ipAddress', 'ip_adress', 'remote_ip'])
    t.is(
      await ask({ email, [name]: ip }),
      `ip_address is required; did you mean "ip_address" instead of "${name}"?`,
    );
  for (const name of ['mail', 'emailAddress', 'Email', 'emial'])
    t.is(
      await ask({ [name]: email, ip_address: ip }),
      `email is required; did you mean "email" instead of "${name}"?`,
    );
  t.is(await ask({ email, '<script>': ip }), 'ip_address is required.');
  t.is(
    await ask({ email, ip_address: ip }, { authorization: `Bearer ${key}` }),
    'Send your key in the X-API-Key header, not in Authorization.',
  );
});
