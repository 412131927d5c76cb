import test from 'ava';
import { isDisguised, readVisitorUserAgents } from '../../../scripts/evaluate/public-data.ts';

const PIXEL =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0';

test('a phone on the processor of a desktop is in disguise, a tablet that asks for desktop pages is not', (t) => {
  t.true(isDisguised({ userAgent: PIXEL, platform: 'Linux x86_64' }));
  t.true(isDisguised({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3)', platform: 'Win32' }));
  t.false(isDisguised({ userAgent: PIXEL, platform: 'Linux armv81' }));
  t.false(isDisguised({ userAgent: MAC, platform: 'MacIntel' }));
  t.false(isDisguised({ userAgent: MAC, platform: 'iPad' }));
});

test('the visitors of the npm package carry a user agent and a platform', (t) => {
  const visitors = readVisitorUserAgents();
  t.true(visitors.length >= 5000);
  t.true(visitors.every(({ userAgent, platform }) => userAgent !== '' && typeof platform === 'string'));
});
