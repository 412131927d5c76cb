import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { catalogue } from './catalogue.ts';

function load(text: string, env: Record<string, string> = {}) {
  return loadConfig({ file: 'gatekeeper.yaml', text, env, catalogue, folder: '/srv/app' });
}

function mistakesOf(text: string, env: Record<string, string> = {}): readonly string[] {
  try {
    load(text, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

test('without a file the defaults serve the API alone, on loopback', (t) => {
  const { config, warnings } = loadConfig({ file: null, env: {}, catalogue, folder: '/srv/app' });
  t.is(config.api.listen, '127.0.0.1:8080');
  t.is(config.dashboard.listen, '127.0.0.1:8081');
  t.is(config.proxy, null);
  t.is(config.storage.records, 'sqlite:/srv/app/data/gatekeeper.db');
  t.deepEqual(config.api.plans, {
    hobby: { requests_per_month: 1000 },
    pro: { requests_per_month: 50_000 },
    unlimited: {},
  });
  t.deepEqual(warnings, []);
});

test('every mistake is reported at once, with line, column, path and what was probably meant', (t) => {
  const text = `
api: {keys: [{name: ci, sha256: nope, plan: prp}]}
proxy:
  upstream: /app
  routes:
    - {name: web, path: /signup, metods: [POST]}
loog: {}
`;
  t.deepEqual(mistakesOf(text), [
    'gatekeeper.yaml:2:33 api.keys[0].sha256: expected the SHA-256 of the key, as 64 hexadecimal digits, not "nope"',
    'gatekeeper.yaml:2:45 api.keys[0].plan: there is no plan "prp"; did you mean "pro"?',
    'gatekeeper.yaml:4:13 proxy.upstream: expected an absolute http or https URL without path, such as http://127.0.0.1:3000, not "/app"; begin with http:// or https://',
    'gatekeeper.yaml:6:34 proxy.routes[0].metods: unknown key; did you mean "methods"?',
    'gatekeeper.yaml:7:1 loog: unknown key; did you mean "log"?',
  ]);
});
