import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import test from 'ava';
import { exchange } from '../http/raw-client.ts';
import { type Answer, openApiServer, SIGNUP, UNKNOWN_ID } from './api-server.ts';
import { isProblem } from './is-problem.ts';

const MISSES: readonly (readonly [
  method: string,
  path: string,
  status: number,
  code: string,
  allow: string | null,
])[] = [
  ['POST', '/', 404, 'not_found', null],
  ['GET', '/nothing', 404, 'not_found', null],
  ['OPTIONS', '/nothing', 404, 'not_found', null],
  ['POST', '/score-signup/', 404, 'not_found', null],
  ['POST', '/Score-Signup', 404, 'not_found', null],
  ['POST', '//score-signup', 404, 'not_found', null],
  ['POST', '/score%2dsignup', 404, 'not_found', null],
  ['GET', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['HEAD', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['PUT', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['DELETE', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['POST', '/usage', 405, 'method_not_allowed', 'HEAD, GET, OPTIONS'],
  ['GET', `/decisions/${UNKNOWN_ID}/feedback`, 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['GET', `/decisions/${UNKNOWN_ID}`, 404, 'not_found', null],
  ['GET', '/decisions/nonsense', 404, 'not_found', null],
  ['GET', '/decisions/%00', 404, 'not_found', null],
  ['GET', '/decisions/%zz', 404, 'not_found', null],
  ['GET', `/decisions/${UNKNOWN_ID.toUpperCase()}`, 404, 'not_found', null],
];

for (const [method, path, status, code, allow] of MISSES) {
  test(`${method} ${path} is ${status}`, async (t) => {
    const server = await openApiServer(t);
    const answer = await server.call(method, path);
    if (method === 'HEAD') t.is(answer.status, status);
    else isProblem(t, answer, status, code);
    t.is(answer.headers.get('allow'), allow);
  });
}

for (const [path, allow] of [
  ['/score-signup', 'POST, OPTIONS'],
  ['/usage', 'HEAD, GET, OPTIONS'],
  [`/decisions/${UNKNOWN_ID}`, 'HEAD, GET, OPTIONS'],
] as const) {
  test(`OPTIONS ${path} lists the allowed methods, without a key`, async (t) => {
    const answer = await (await openApiServer(t)).call('OPTIONS', path, { key: null });
    t.is(answer.status, 204);
    t.is(answer.headers.get('allow'), allow);
    t.is(answer.headers.get('content-length'), null);
    t.is(answer.text, '');
  });
}

test('a target with scheme and authority is read by its path, however odd they are', async (t) => {
  const { port } = await openApiServer(t);
  for (const [target, status] of [
    ['http://other.example/livez', 200],
    ['HTTP://[::1]:80/livez?x=1', 200],
    ['http://a:b@c:d:e/livez', 200],
    ['http://other.example', 200],
    ['ftp://x/y', 404],
    ['/livez?x#y', 200],
    ['/livez?%zz', 200],
  ] as const) {
    const { answers } = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, { answers: 1 });
    t.is(answers[0]?.status, status, target);
  }
});

test('for a listener that is shared, the API knows its own addresses from others', async (t) => {
  const { api } = await openApiServer(t);
  for (const [target, own] of [
    ['/score-signup', true],
    ['/score-signup?x=1', true],
    ['http://h/usage', true],
    ['/decisions/anything', true],
    ['/decisions/anything/feedback', true],
    ['/livez', true],
    ['/score-signup/', false],
    ['/Livez', false],
    ['/decisions', false],
    ['/decisions/a/b', false],
    ['/', false],
    ['*', false],
    ['', false],
  ] as const) {
    t.is(api.answers(target), own, target);
  }
});

test('a bug is 500, logged by the id that the caller got, with nothing of it in the answer', async (t) => {
  const server = await openApiServer(t, {
    readiness: () => {
      throw new Error('secret at /etc/passwd');
    },
  });
  const answer = await server.call('GET', '/readyz', { key: null });
  isProblem(t, answer, 500, 'internal_error');
  t.notRegex(answer.text, /secret|passwd|\.ts/);
  t.true(server.log.some((line) => line.includes('passwd') && line.includes(answer.json.request_id)));
});

test('real answers match openapi.json', async (t) => {
  const server = await openApiServer(t);
  const { json: document } = await server.call('GET', '/openapi.json', { key: null });
  t.regex(document.openapi, /^3\.1\./);
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(['openapi', 'info', 'servers', 'paths', 'components']);
  ajv.addSchema(document, 'api');
  const check = (path: string, method: string, answer: Answer) => {
    const { content } = document.paths[path][method].responses[answer.status];
    const mediaType = answer.headers.get('content-type') ?? '';
    const reference: string = content[mediaType].schema.$ref;
    const isValid = ajv.getSchema(`api${reference}`);
    t.truthy(isValid, reference);
    t.true(isValid?.(answer.json), `${method} ${path} ${answer.status}: ${ajv.errorsText(isValid?.errors)}`);
  };
  const scored = await server.post(SIGNUP);
  check('/score-signup', 'post', scored);
  check('/score-signup', 'post', await server.post({}));
  check('/score-signup', 'post', await server.post(SIGNUP, { key: 'x' }));
  check('/score-signup', 'post', await server.post(SIGNUP, { headers: { 'content-type': 'text/plain' } }));
  const path = '/decisions/{request_id}';
  check(path, 'get', await server.call('GET', `/decisions/${scored.json.request_id}`));
  check(path, 'get', await server.call('GET', `/decisions/${UNKNOWN_ID}`));
  check('/usage', 'get', await server.call('GET', '/usage'));
  check('/readyz', 'get', await server.call('GET', '/readyz'));
  const references = JSON.stringify(document).match(/"\$ref":"#([^"]+)"/g) ?? [];
  t.true(references.length > 10);
  for (const reference of references) t.truthy(ajv.getSchema(`api${reference.slice(8, -1)}`), reference);
});
