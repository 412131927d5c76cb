import { METHODS, request as send } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { ANY_METHOD_APPS, openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { openJudgingProxy } from './judging-proxy.ts';

interface Case {
  readonly method: string;
  readonly target: string;
  readonly type: string | null;
  readonly body: string;
}

const FORWARD_ALL = { on_medium: 'forward', on_high: 'forward', on_missing_email: 'forward' } as const;
const ROUTES = [
  route('/signup', { methods: null, ...FORWARD_ALL }),
  route('/join', { methods: ['POST'], ...FORWARD_ALL }),
  route('/trpc/auth.signup', { methods: null, ...FORWARD_ALL }),
];

const EMAIL = 'jane@burner.example';
const FORM = 'application/x-www-form-urlencoded';
const FORM_BODY = `email=${encodeURIComponent(EMAIL)}&x=1`;
const JSON_BODY = JSON.stringify({ email: EMAIL });
/** Node's client sends bodies with these, but not with those that stand for tunnels. */
const WITH_BODY = METHODS.filter((method) => method !== 'CONNECT');

const FORMATS = ['json', 'abcdefghijkl', 'a-b', 'a:b', 'a.b', '%61', 'html', 'php', 'x/../../signup'];
const QUERIES = [
  ...[
    '/signup',
    '/signup&x=1',
    '/%73ignup',
    'rest_route=/signup',
    'pagename=signup',
    'q=signup',
    'r=signup',
    'q=%73ignup',
  ],
  ...[
    'route=signup',
    's=/signup',
    'url=signup/',
    '_url=/signup',
    '_route_=signup',
    'x=1&q=/signup',
    'q=signup.json',
  ],
];

function cases(): readonly Case[] {
  const json = (method: string, target: string, type: string | null = 'application/json') => ({
    method,
    target,
    type,
    body: JSON_BODY,
  });
  const form = (method: string, target: string, body = FORM_BODY) => ({ method, target, type: FORM, body });
  return [
    ...WITH_BODY.flatMap((method) => [
      json(method, '/signup'),
      json(method, '/signup', 'text/plain'),
      json(method, '/signup', null),
      json(method, '/Sign%75p;x', 'image/png'),
      form(method, '/signup'),
      form(method, '/join', `_method=POST&${FORM_BODY}`),
      form(method, '/join?_method=post'),
      {
        method,
        target: '/join',
        type: 'application/json',
        body: JSON.stringify({ _method: 'POST', email: EMAIL }),
      },
    ]),
    ...FORMATS.flatMap((format) => ['POST', 'PUT'].map((method) => json(method, `/signup.${format}`))),
    ...['/', '/index.php', '/app.php', '/index.cgi', '/x/index.php'].flatMap((front) =>
      QUERIES.flatMap((query) => ['POST', 'PATCH'].map((method) => json(method, `${front}?${query}`))),
    ),
    ...['user.list,auth.signup', 'auth.signup,user.list', 'auth.signup', 'a%2Cauth.signup'].map((list) =>
      json('POST', `/trpc/${list}?batch=1`),
    ),
  ];
}

/** What nobody signs up with, on the same paths. */
const HONEST: readonly Case[] = [
  ...['GET', 'HEAD', 'OPTIONS', 'DELETE'].flatMap((method) =>
    ['/signup', '/signup?email=a%40b.example', '/join', '/?q=signup', '/trpc/auth.signup'].map((target) => ({
      method,
      target,
      type: null,
      body: '',
    })),
  ),
  { method: 'PUT', target: '/signup', type: 'application/json', body: '{"step":2}' },
  { method: 'PATCH', target: '/signup', type: FORM, body: 'name=x' },
  { method: 'PUT', target: '/signup', type: 'image/png', body: '\x89PNG\r\n\x1a\nemail\0' },
  { method: 'PUT', target: '/signup', type: 'text/plain', body: 'write to my email, please' },
  { method: 'PUT', target: '/signup', type: 'application/json', body: '[{"email":"a@b.example"}]' },
  { method: 'POST', target: '/search.php?q=signup', type: FORM, body: FORM_BODY },
  { method: 'POST', target: '/trpc/auth.login', type: 'application/json', body: JSON_BODY },
];

interface Outcome {
  readonly status: number;
  readonly isGates: boolean;
  /** Null where no signup handler ran. */
  readonly handled: {
    readonly email: string | null;
    readonly assertion: string | null;
    readonly judged: string | null;
  } | null;
}

function ask(port: number, { method, target, type, body }: Case): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(type !== null && { 'Content-Type': type }),
      ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }),
    };
    const request = send(
      { port, host: '127.0.0.1', method, path: target, headers, agent: false },
      (response) => {
        response.resume();
        const { 'x-app': app, 'content-type': answered = '' } = response.headers;
        const handled =
          typeof app === 'string' ? (JSON.parse(decodeURIComponent(app)) as Outcome['handled']) : null;
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, isGates: answered.includes('problem+json'), handled }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function prove(t: ExecutionContext, app: UpstreamApp): Promise<void> {
  const upstream = await openUpstreamApp(t, app);
  if (upstream === null) throw new Error(`${app.name} is not installed here.`);
  const gate = await openGateServer(t, { upstreamUrl: `http://127.0.0.1:${upstream}`, routes: ROUTES });
  const proxy = await openJudgingProxy(t, upstream);
  const around: string[] = [];
  let handled = 0;
  let aroundProxy = 0;
  const all = cases();
  for (const one of all) {
    const outcome = await ask(gate.port, one);
    if (outcome.handled?.email === EMAIL) handled++;
    if (outcome.handled?.email === EMAIL && outcome.handled.assertion === null)
      around.push(`${one.method} ${one.target} ${one.type}`);
    const plain = await ask(proxy, one).catch(() => null);
    if (plain?.handled?.email === EMAIL && plain.handled.judged === null) aroundProxy++;
  }
  t.log(
    `${app.name}: ${all.length} requests, ${handled} handled, ${around.length} around the gate, ${aroundProxy} around http-proxy with Koa routes`,
  );
  t.deepEqual(around, []);
  t.true(handled > 20);
  for (const one of HONEST) {
    const outcome = await ask(gate.port, one);
    t.false(outcome.isGates, `${one.method} ${one.target} ${one.body}`);
  }
}

for (const app of ANY_METHOD_APPS) {
  const testWhereInstalled = app.isInstalled() ? test : test.skip;
  testWhereInstalled(`no method, format or query leads around the gate to ${app.name}`, prove, app);
}
