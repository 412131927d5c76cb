import test from 'ava';
import { loadConfig } from '../../src/config/load.ts';
import type { Overrides } from '../../src/config/overrides.ts';
import { knownNames } from './known-names.ts';

const GATE = 'proxy:\n  upstream: localhost:3000\n  routes: [{path: /signup, mode: monitor}]\n';

function load(text: string | null, overrides: Partial<Overrides>) {
  const { config } = loadConfig({
    file: null,
    ...(text !== null && { text }),
    env: {},
    knownNames,
    overrides: { port: null, defaultPort: null, upstream: null, ...overrides },
  });
  const { api, proxy } = config;
  return { api: api.listen, gate: proxy?.listen ?? null, app: proxy?.upstream ?? null };
}

const cases: readonly (readonly [
  title: string,
  text: string | null,
  overrides: Partial<Overrides>,
  expected: Partial<ReturnType<typeof load>>,
])[] = [
  ['without overrides, nothing changes', GATE, {}, { api: '127.0.0.1:8080', gate: '0.0.0.0:8000' }],
  ['a port is that of the API when there is no gate', null, { port: 9 }, { api: '127.0.0.1:9', gate: null }],
  ['a port keeps the host of the API', 'api: {listen: "[::1]:80"}\n', { port: 9 }, { api: '[::1]:9' }],
  ['a port is that of the gate', GATE, { port: 9 }, { api: '127.0.0.1:8080', gate: '0.0.0.0:9' }],
  ['a port replaces a port alone', `${GATE}  listen: 8000\n`, { port: 9 }, { gate: '127.0.0.1:9' }],
  [
    'the port of the environment is used where no listen is written',
    GATE,
    { defaultPort: 9 },
    { gate: '0.0.0.0:9' },
  ],
  [
    'a written listen is stronger than the environment',
    `${GATE}  listen: 8000\n`,
    { defaultPort: 9 },
    { gate: '127.0.0.1:8000' },
  ],
  ['the flag is stronger than the environment', GATE, { port: 9, defaultPort: 10 }, { gate: '0.0.0.0:9' }],
  [
    'an app replaces that of the file',
    GATE,
    { upstream: 'localhost:4000' },
    { app: 'http://localhost:4000', gate: '0.0.0.0:8000' },
  ],
  [
    'an app without a gate opens one for this machine',
    null,
    { upstream: '4000' },
    { app: 'http://localhost:4000', gate: '127.0.0.1:8000', api: '127.0.0.1:8080' },
  ],
  [
    'an app and a port open a gate on that port',
    null,
    { upstream: '4000', port: 9 },
    { gate: '127.0.0.1:9' },
  ],
  [
    'an app opens a gate where the file leaves it empty',
    'proxy:\n',
    { upstream: '4000' },
    { gate: '127.0.0.1:8000' },
  ],
];
for (const [title, text, overrides, expected] of cases) {
  test(title, (t) => t.like(load(text, overrides), expected));
}

test('a section of a wrong shape is still reported', (t) => {
  t.throws(() => load('proxy: 5\n', { port: 9, upstream: '4000' }), { message: /proxy: expected a mapping/ });
  t.throws(() => load('api: 5\n', { port: 9 }), { message: /api: expected a mapping/ });
  t.throws(() => load('proxy: {upstream: 4000, listen: []}\n', { port: 9 }), {
    message: /proxy\.listen: expected/,
  });
});
