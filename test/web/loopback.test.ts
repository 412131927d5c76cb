import test from 'ava';
import { isOwnHost } from '../../src/web/loopback.ts';

const PUBLIC = 'https://gatekeeper.example';

for (const host of [
  'localhost:8081',
  '127.0.0.1',
  '127.4.5.6:80',
  '[::1]:8081',
  'gatekeeper.example',
  'GATEKEEPER.example',
]) {
  test(`${host} is a name of the dashboard`, (t) => {
    t.true(isOwnHost(host, PUBLIC));
  });
}

for (const host of [
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  'gatekeeper.example:8081',
  'x@localhost',
]) {
  test(`${host} is not a name of the dashboard`, (t) => {
    t.false(isOwnHost(host, PUBLIC));
  });
}
