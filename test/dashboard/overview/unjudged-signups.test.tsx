import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { loadConfig } from '../../../src/config/load.ts';
import { UnjudgedSignups } from '../../../src/dashboard/overview/unjudged-signups.tsx';
import { KNOWN_NAMES } from '../../../src/known-names.ts';

const seen = { method: 'POST', email: 'email', isReadable: true, sharesPath: false, count: 1, lastAt: 0 };

/** The cells of the last column, as text. */
function advice(...groups: Parameters<typeof UnjudgedSignups>[0]['groups']): readonly string[] {
  const html = renderToString(<UnjudgedSignups groups={groups} />);
  return [...html.matchAll(/<td[^>]*>((?:(?!<td).)*?)<\/td><\/tr>/gs)].map(([, cell = '']) =>
    cell
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  );
}

test('each line is a route that the configuration accepts', (t) => {
  const lines = advice(
    { ...seen, path: '/join' },
    { ...seen, path: '/', email: 'user[email]', sharesPath: true },
    { ...seen, path: '/users/:id/invite', email: 'user.mail' },
    { ...seen, path: '/a/b/c/d/e/f/**' },
    { ...seen, path: '/graphql', email: 'variables.input.email', sharesPath: true },
  );
  t.is(lines.length, 5);
  const proxy = 'proxy:\n  listen: 127.0.0.1:0\n  upstream: http://127.0.0.1:1\n  routes:\n';
  const text = proxy + lines.map((line) => `    ${line}\n`).join('');
  const { config } = loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames: KNOWN_NAMES });
  t.deepEqual(
    config.proxy?.routes.map(({ path, email, when }) => [path, email[0], Object.keys(when)]),
    [
      ['/join', 'email', []],
      ['/', 'user[email]', ['user[email]']],
      ['/users/:id/invite', 'user.mail', []],
      ['/a/b/c/d/e/f/**', 'email', []],
      ['/graphql', 'variables.input.email', ['variables.input.email']],
    ],
  );
});

test('no line is given where the gate could not read the body, and sign-in forms come last', (t) => {
  const [first, second] = advice(
    { ...seen, path: '/login', count: 9 },
    { ...seen, path: '/soap', isReadable: false },
  );
  t.regex(first ?? '', /cannot read this format: call POST \/score-signup/);
  t.regex(second ?? '', /^- \{name: login/);
});
