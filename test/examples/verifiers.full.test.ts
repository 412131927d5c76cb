import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  makeTestVectors,
  renderTestVectors,
  type TestVector,
  VECTORS_FILE,
} from '../../scripts/make-test-vectors.ts';
import {
  hasGo,
  hasSinatra,
  isRunnable,
  openUpstreamApp,
  pythonWith,
  type UpstreamApp,
} from '../helpers/upstreams/open-upstream.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const APPS = fileURLToPath(new URL('./apps/', import.meta.url));
const { keys, vectors } = makeTestVectors();
const KEYS = JSON.stringify(keys);

interface Verifier extends UpstreamApp {
  /** Below `examples`. */
  readonly file: string;
}

const SYMFONY = '/usr/share/php/Symfony/Component/HttpFoundation/autoload.php';
const always = () => true;

const VERIFIERS: readonly Verifier[] = [
  { name: 'Express', file: 'express/gatekeeper.js', isInstalled: always, command: () => node('express.js') },
  { name: 'Fastify', file: 'fastify/gatekeeper.js', isInstalled: always, command: () => node('fastify.js') },
  { name: 'Koa', file: 'koa/gatekeeper.js', isInstalled: always, command: () => node('koa.js') },
  { name: 'Flask', file: 'flask/gatekeeper.py', ...python('flask', 'flask_app.py') },
  { name: 'Django', file: 'django/gatekeeper.py', ...python('django', 'django_app.py') },
  {
    name: 'Rails (through Rack)',
    file: 'rails/gatekeeper.rb',
    isInstalled: hasSinatra,
    command: () => ['ruby', join(APPS, 'rack_app.rb'), KEYS],
  },
  {
    name: 'Laravel (through Symfony)',
    file: 'laravel/RequireGatekeeper.php',
    isInstalled: () => isRunnable('php', '-r', `require '${SYMFONY}';`),
    command: () => [
      ...(['env', `GATEKEEPER_KEYS=${KEYS}`] as const),
      ...['php', '-q', '-S', '127.0.0.1:0', join(APPS, 'laravel.php')],
    ],
  },
  { name: 'Go', file: 'go/gatekeeper.go', isInstalled: hasGo, command: buildGo },
];

function node(app: string): [string, ...string[]] {
  return [process.execPath, join(APPS, app), KEYS];
}

function python(module: string, app: string): Pick<Verifier, 'isInstalled' | 'command'> {
  return {
    isInstalled: () => pythonWith(module) !== null,
    command: () => [pythonWith(module) ?? 'python3', join(APPS, app), KEYS],
  };
}

/** Without modules, a package is found by its folder below GOPATH. */
function buildGo(folder: string): [string, ...string[]] {
  const source = join(folder, 'src/gatekeeper');
  const program = join(folder, 'app');
  mkdirSync(source, { recursive: true });
  copyFileSync(join(EXAMPLES, 'go/gatekeeper.go'), join(source, 'gatekeeper.go'));
  execFileSync('go', ['build', '-o', program, join(APPS, 'go/main.go')], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: folder, CGO_ENABLED: '0' },
  });
  return [program, KEYS];
}

function send(port: number, { method, path, headers, body }: TestVector['request']) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

for (const verifier of VERIFIERS) {
  // What is missing is named by the skipped test's title; the full proof counts it as a failure.
  const testWhereInstalled = verifier.isInstalled() ? test : test.skip;
  testWhereInstalled(
    `straight to the app, the ${verifier.name} example lets on what the gate signed, and answers 403 to all else`,
    async (t) => {
      const port = await openUpstreamApp(t, verifier);
      if (port === null) throw new Error('an app that can run always has a command');
      for (const { name, accepted, request } of vectors) {
        const { status, text } = await send(port, request);
        t.is(status, accepted ? 200 : 403, name);
        t.is(text.startsWith('welcome ada@company.example'), accepted, name);
      }
    },
  );

  test(`the ${verifier.name} example has at most 20 lines beside imports, comments and lone brackets`, (t) => {
    const lines = readFileSync(join(EXAMPLES, verifier.file), 'utf8')
      .replace(/^import \([^)]*\)/m, '')
      .split('\n');
    const counted = lines.filter(
      (line) =>
        !/^\s*(?:$|\/\/|#|<\?php|(?:import|from|require|use|package|namespace)\b|[\])};,]+$|end$)/.test(line),
    );
    t.true(counted.length <= 20, `${counted.length} lines`);
  });
}

test('the file of test vectors is what the script makes, and holds both kinds', (t) => {
  t.is(readFileSync(VECTORS_FILE, 'utf8'), renderTestVectors());
  t.is(vectors.filter(({ accepted }) => accepted).length, 4);
  t.true(vectors.length >= 30);
});
