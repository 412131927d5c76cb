import test from 'ava';
import {
  completeOrigin,
  isCountersStore,
  isRecordsStore,
  isSmtpUrl,
  isWebUrl,
  parseOrigin,
} from '../../src/config/url-formats.ts';

test('an origin is an http or https URL with only scheme, host and port', (t) => {
  const good: Readonly<Record<string, string>> = {
    'http://127.0.0.1:3000': 'http://127.0.0.1:3000',
    'http://127.0.0.1:3000/': 'http://127.0.0.1:3000',
    'HTTPS://App.Example:443': 'https://app.example',
    'http://[::1]:80/': 'http://[::1]',
  };
  for (const [text, origin] of Object.entries(good)) t.is(parseOrigin(text), origin, text);
  const bad = [
    '',
    '/app',
    'app:3000',
    '127.0.0.1:3000',
    'http:app',
    'http:///app',
    'http://',
    'ftp://app',
    'http://app/x',
  ];
  const worse = [
    'http://app/?x',
    'http://app/#',
    'http://u:p@app',
    'http://app:99999',
    'http://app:0',
    ' http://app',
    'http://a\tpp',
    'http://a b',
    'https://*.example',
  ];
  for (const text of [...bad, ...worse]) t.is(parseOrigin(text), null, text);
});

test('stores, mail servers and pages take their own schemes and no others', (t) => {
  t.true(isRecordsStore('sqlite:./data/gk.db'));
  t.true(isRecordsStore('postgresql://u:p@db:5432/gk?sslmode=require'));
  for (const text of ['sqlite:', 'sqlite:a\0b', 'mysql://db', 'postgres:db', './gk.db', ''])
    t.false(isRecordsStore(text), text);
  t.true(isCountersStore('memory'));
  t.true(isCountersStore('redis://:p@cache:6379/0'));
  for (const text of ['redis', 'Memory', 'http://cache', '']) t.false(isCountersStore(text), text);
  t.true(isSmtpUrl('smtps://user:p%40ss@mail.example:465'));
  for (const text of ['mail.example:25', 'http://mail.example', 'smtp://']) t.false(isSmtpUrl(text), text);
  t.true(isWebUrl('https://app.example/verify?x=1'));
  for (const text of ['/verify', 'javascript:alert(1)', 'data:text/html,x', 'https://'])
    t.false(isWebUrl(text), text);
});

test('a host and a port without a scheme are plain HTTP, and nothing else is guessed', (t) => {
  const completed: readonly (readonly [string | number, string])[] = [
    ['localhost:3000', 'http://localhost:3000'],
    ['app:3000/', 'http://app:3000/'],
    ['127.0.0.1:80', 'http://127.0.0.1:80'],
    ['[::1]:3000', 'http://[::1]:3000'],
    [3000, 'http://localhost:3000'],
    ['3000', 'http://localhost:3000'],
    [':3000', 'http://localhost:3000'],
  ];
  for (const [given, origin] of completed) {
    t.is(completeOrigin(given), origin);
    t.not(parseOrigin(String(completeOrigin(given))), null);
  }
  const left = [
    'http://app',
    'https://app:443',
    'app:443',
    'app',
    '/app',
    'http:3000',
    'https:3000',
    'a b:3000',
  ];
  for (const text of [
    ...left,
    'user@app:3000',
    'app:3000/path',
    'app:3000?x',
    '::1:3000',
    'unix:/tmp/app',
    '',
  ]) {
    t.is(completeOrigin(text), text);
  }
});
