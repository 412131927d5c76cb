import test from 'ava';
import { readClaimedBrowser } from '../../../src/processors/device/claimed-browser.ts';
import { findRelease, isImpossiblyNew, isOutdated } from '../../../src/processors/device/release-age.ts';
import { DEVICE_DATASETS, NOW } from '../../helpers/device-attempts.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const DAY_MS = 86_400_000;
const find = (text: string) => findRelease(text, readClaimedBrowser(text), DEVICE_DATASETS);

function age(text: string): 'outdated' | 'impossible' | 'current' | 'unknown' | 'never_released' {
  const release = find(text);
  if (release === null) return 'unknown';
  if (release === 'never_released') return 'never_released';
  if (isImpossiblyNew(release, NOW)) return 'impossible';
  return isOutdated(release, NOW) ? 'outdated' : 'current';
}

const chrome = (version: number | string, rest = '') =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${rest}`;
const safari = (version: number) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Safari/605.1.15`;

const AGES: readonly (readonly [what: string, text: string, expected: ReturnType<typeof age>])[] = [
  ['the newest Chrome', chrome(157), 'current'],
  ['a Chrome of three years ago', chrome(120), 'current'],
  ['a Chrome of seven years ago', chrome(70), 'outdated'],
  ['a Chrome of the next weeks', chrome(163), 'current'],
  ['a Chrome of the next years', chrome(190), 'impossible'],
  ['Chrome 999', chrome(999), 'impossible'],
  ['a Chrome beyond all numbers', chrome('9'.repeat(40)), 'impossible'],
  ['Chrome 0', chrome(0), 'outdated'],
  ['a browser that keeps Chrome 100 alive', chrome(100, ' HuaweiBrowser/16.0.2.301'), 'current'],
  ['an old Firefox', 'Mozilla/5.0 (X11; Linux i686; rv:45.0) Gecko/20100101 Firefox/45.0', 'outdated'],
  ['Mozilla of 2004', 'Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.7.2) Gecko/20040804', 'outdated'],
  ['Safari of two years ago', safari(18), 'current'],
  ['Safari 12', safari(12), 'outdated'],
  ['Safari 20, which Apple never made', safari(20), 'never_released'],
  [
    'WebKitGTK 2.50, which has a version of its own',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15',
    'unknown',
  ],
  ['Internet Explorer 11', 'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko', 'outdated'],
  ['the old Opera', 'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18', 'outdated'],
  [
    'Opera Mini, which renders elsewhere',
    'Opera/9.80 (Android; Opera Mini/80.0/191.300; U; en) Presto/2.12.423 Version/12.16',
    'unknown',
  ],
  [
    'the browser of Android 2',
    'Mozilla/5.0 (Linux; U; Android 2.2) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1',
    'outdated',
  ],
  [
    'an application on iOS 10',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 10_0_1 like Mac OS X) AppleWebKit/602.1.50 (KHTML, like Gecko) Mobile/14A403',
    'outdated',
  ],
  [
    'an application on the frozen iOS 18',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'unknown',
  ],
  ['Chrome on iOS', CURRENT_BROWSERS['Chrome on iOS'], 'current'],
  ['what names no browser', 'lorem ipsum', 'unknown'],
];

for (const [what, text, expected] of AGES) {
  test(`${what} is ${expected}`, (t) => {
    t.is(age(text), expected);
  });
}

test('a version counts as old from the day it was replaced, not from its own', (t) => {
  const release = find(safari(16));
  if (release === null || release === 'never_released') return t.fail('Safari 16 is in the table');
  const { versions, releasedAt } = DEVICE_DATASETS.browsers.get('safari') ?? { versions: [], releasedAt: [] };
  t.is(release.replacedAt, releasedAt[versions.indexOf(17)] ?? Number.NaN);
});

test('without a table there is no age', (t) => {
  const text = chrome(999);
  t.is(findRelease(text, readClaimedBrowser(text), { browsers: new Map(), asOf: 0 }), null);
});

test('the longer the table is not renewed, the newer a browser may be', (t) => {
  const release = find(chrome(190));
  if (release === null || release === 'never_released') return t.fail('Chrome is in the table');
  t.true(isImpossiblyNew(release, NOW));
  t.false(isImpossiblyNew(release, NOW + 400 * DAY_MS));
});
