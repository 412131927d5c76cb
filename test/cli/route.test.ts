import test from 'ava';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { route as explainRoute } from '../../src/cli/route.ts';
import type { Config, RouteConfig } from '../../src/config/config.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { proxyTo } from '../helpers/gated-app.ts';
import { route } from '../helpers/routes.ts';

const PROXY = proxyTo(3_000, { listen: '127.0.0.1:8000' });

const ROUTES = [
  route('/signup', { name: 'web' }),
  route('/account', { name: 'account', methods: ['PUT'], mode: 'monitor' }),
  route('/join', { name: 'open', methods: null, when: { 'header:next-action': { exists: true } } }),
  route('/graphql', { name: 'graphql', when: { operationName: 'SignUp' }, email: ['variables.input.email'] }),
];

function run(method: string, url: string, routes: readonly RouteConfig[] | null = ROUTES) {
  const config: Config = { ...defaultConfig, proxy: routes && { ...PROXY, routes } };
  const output = { code: 0, out: '', err: '' };
  const context: CommandContext = {
    cwd: '/',
    env: {},
    write: (text) => {
      output.out += text;
    },
    writeError: (text) => {
      output.err += text;
    },
    isTerminal: false,
    hasColour: false,
  };
  output.code = explainRoute({ config, method, url }, context);
  return output;
}

const EXPLAINED: readonly (readonly [method: string, url: string, out: string])[] = [
  [
    'POST',
    '/signup',
    `POST /signup
  judged by route "web" (POST /signup): the target reads as /signup
    email from email; low: forward, medium: verify by upstream, high: block
`,
  ],
  [
    'post',
    'https://app.example//x/..//%53IGNUP;a?next=/',
    `POST https://app.example//x/..//%53IGNUP;a?next=/
  judged by route "web" (POST /signup): the target reads as /signup
    email from email; low: forward, medium: verify by upstream, high: block
`,
  ],
  [
    'POST',
    '/graphql',
    `POST /graphql
  judged by route "graphql" (POST /graphql): the target reads as /graphql
    only if the body has operationName: SignUp
    email from variables.input.email; low: forward, medium: verify by upstream, high: block
`,
  ],
  [
    'GET',
    '/graphql?query=%7BsignUp%7D',
    `GET /graphql?query=%7BsignUp%7D
  passes; refused with 400 only if the query has a GraphQL document to be stored that hides the email of a signup
`,
  ],
  [
    'POST',
    '/account',
    `POST /account
  judged by route "account" (PUT /account): the target reads as /account
    only if the body has _method: PUT
    email from email; monitor mode: always forwarded (in enforce mode: low: forward, medium: verify by upstream, high: block)
`,
  ],
  [
    'POST',
    '/signup%00',
    `POST /signup%00
  refused with 400, not forwarded: it holds an encoded NUL, and the request resembles
  route "web" (POST /signup): the target reads as /signup
`,
  ],
  ['POST', 'caf\u00e9', 'POST /caf%C3%A9\n  passes: no route has this path or a variant of it\n'],
  ['GET', '/signup', 'GET /signup\n  passes: a route has this path but judges only POST\n'],
  [
    'put',
    '/join.json',
    `PUT /join.json
  judged by route "open" (any method /join): the target reads as /join.json
    only if the body has email, or _method: POST
    only if the header has next-action
    email from email; low: forward, medium: verify by upstream, high: block
`,
  ],
  [
    'GET',
    '/join',
    'GET /join\n  passes without a body: a route has this path and judges POST, and GET if the body has the email\n',
  ],
  [
    'POST',
    '/index.php?q=signup',
    `POST /index.php?q=signup
  judged by route "web" (POST /signup): the query reads as /signup
    only if the body has email, or _method: POST
    email from email; low: forward, medium: verify by upstream, high: block
`,
  ],
  ['OPTIONS', '/signup', 'OPTIONS /signup\n  passes: OPTIONS creates no account\n'],
  [
    'GET',
    '/.gatekeeper/x',
    'GET /.gatekeeper/x\n  answered by Gatekeeper, never forwarded: paths below /.gatekeeper/ are reserved\n',
  ],
  [
    'POST',
    'ftp://x/signup',
    'POST ftp://x/signup\n  refused with 400: the target is neither a path nor an HTTP URL\n',
  ],
];

for (const [method, url, out] of EXPLAINED) {
  test(`${method} ${url} is explained`, (t) => {
    t.deepEqual(run(method, url), { code: 0, out, err: '' });
  });
}

test('without routes, and without a gate, nothing is judged', (t) => {
  t.is(
    run('POST', '/signup', []).out,
    'POST /signup\n  forwarded without a check: no routes are configured\n',
  );
  t.regex(run('POST', '/signup', null).out, /no proxy section, so there is no gate/);
});

test('an invalid method is an error', (t) => {
  const { code, out, err } = run('/signup', 'POST');
  t.is(code, 1);
  t.is(out, '');
  t.regex(err, /^"\/signup" is not an HTTP method\. Write a method such as POST, then the URL\.\n$/);
});

const WITH_FORMS = [
  route('/api/signup', { name: 'web', form: ['/signup', '/join/:plan'] }),
  route('/graphql', { name: 'graphql', form: ['any'] }),
];

test('a page with a form is named on its GET, and the visit on the signup', (t) => {
  t.is(
    run('GET', '/Join/pro', WITH_FORMS).out,
    `GET /Join/pro
  passes: no route has this path or a variant of it
  a visit of the page with the form of route "web" (form: /signup, /join/:plan)
  a visit of the page with the form of route "graphql" (form: any)
`,
  );
  t.is(
    run('GET', '/other', WITH_FORMS.slice(0, 1)).out,
    'GET /other\n  passes: no route has this path or a variant of it\n',
  );
  t.is(run('HEAD', '/signup', WITH_FORMS).out, 'HEAD /signup\n  passes: HEAD creates no account\n');
  t.regex(
    run('POST', '/api/signup', WITH_FORMS).out,
    /email from email; without a visit of \/signup or \/join\/:plan before: no_form_visit; low: forward/,
  );
  t.regex(run('POST', '/graphql', WITH_FORMS).out, /without a visit of any page before: no_form_visit/);
});
