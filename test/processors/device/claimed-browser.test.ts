import test from 'ava';
import { readClaimedBrowser } from '../../../src/processors/device/claimed-browser.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const CLAIMS = {
  'Chrome on Windows': ['chromium', 157, 'windows'],
  'Chrome on macOS': ['chromium', 157, 'macos'],
  'Chrome on Android': ['chromium', 157, 'android'],
  'Chrome on iOS': ['webkit', null, 'ios'],
  'Chrome on ChromeOS': ['chromium', 157, 'chromeos'],
  'Edge on Windows': ['chromium', 157, 'windows'],
  'Opera on Linux': ['chromium', 156, 'linux'],
  'Samsung Internet': ['chromium', 142, 'android'],
  'Firefox on Windows': ['gecko', 157, 'windows'],
  'Firefox on Android': ['gecko', 157, 'android'],
  'Safari on macOS': ['webkit', 27, 'macos'],
  'Safari on iOS': ['webkit', 27, 'ios'],
} as const;

for (const [name, [engine, major, platform]] of Object.entries(CLAIMS)) {
  test(`${name} claims its engine, version and platform`, (t) => {
    const text = CURRENT_BROWSERS[name as keyof typeof CLAIMS];
    t.like(readClaimedBrowser(text), { engine, major, platform });
  });
}

test('Internet Explorer, the old Edge and the old Opera are engines of their own', (t) => {
  t.like(readClaimedBrowser('Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko'), {
    engine: 'trident',
    platform: 'windows',
  });
  t.is(
    readClaimedBrowser('Mozilla/5.0 (Windows NT 10.0) Chrome/64.0.3282.140 Edge/17.17134').engine,
    'edgehtml',
  );
  t.is(readClaimedBrowser('Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18').engine, 'presto');
});

test('the comment ends where its own bracket closes, or with the text', (t) => {
  t.is(readClaimedBrowser('Mozilla/5.0 (Linux; moto g(6) play) Gecko/1').comment, 'Linux; moto g(6) play');
  t.is(readClaimedBrowser('Mozilla/5.0 (Linux; never closed').comment, 'Linux; never closed');
  t.is(readClaimedBrowser('curl/8.0').comment, '');
});

test('a text without any known product claims nothing', (t) => {
  t.like(readClaimedBrowser('lorem ipsum'), { engine: null, major: null, platform: null });
});
