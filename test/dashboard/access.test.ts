import test from 'ava';
import { safeReturnPath } from '../../src/dashboard/access.ts';

for (const path of ['/', '/decisions?level=high&cursor=a%20b', '/keys/1', '/a//b']) {
  test(`after signing in, ${path} is a valid page to return to`, (t) => {
    t.is(safeReturnPath(path), path);
  });
}

for (const path of [
  undefined,
  '',
  'keys',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/a\r\nSet-Cookie: x=1',
  '/ü',
  ' /keys',
]) {
  test(`signing in never redirects to ${JSON.stringify(path)}`, (t) => {
    t.is(safeReturnPath(path), '/');
  });
}
