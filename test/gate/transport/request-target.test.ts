import test from 'ava';
import { upstreamTarget } from '../../../src/gate/transport/upstream-request.ts';

const ORIGIN_FORMS = [
  '/',
  '//evil.example/a',
  '/a//b',
  '/a/../b/./c',
  '/\\x',
  '/a?b#c',
  '/%00%2f?',
  '/;x=1',
  '/http://x/',
];

test('a path is forwarded byte for byte', (t) => {
  for (const path of ORIGIN_FORMS) t.deepEqual(upstreamTarget(path), { path, authority: null });
});

const ABSOLUTE_FORMS: readonly (readonly [string, string, string])[] = [
  ['http://app.example/a//b?c', '/a//b?c', 'app.example'],
  ['HTTP://app.example:8000', '/', 'app.example:8000'],
  ['https://app.example?q', '/?q', 'app.example'],
  ['http://[2001:db8::1]:80/', '/', '[2001:db8::1]:80'],
  ['http://app.example#f', '/#f', 'app.example'],
];

test('absolute-form loses scheme and authority and nothing else', (t) => {
  for (const [target, path, authority] of ABSOLUTE_FORMS)
    t.deepEqual(upstreamTarget(target), { path, authority });
});

test('a target that is neither a path nor an HTTP URL is refused', (t) => {
  const refused = [
    '',
    '*',
    'a',
    'app.example:443',
    'ftp://a/',
    'http:/a',
    'http:///a',
    'http://u@a/',
    'http://a\\b/',
    'http://a b/',
  ];
  for (const target of refused) t.is(upstreamTarget(target), null, target);
});
