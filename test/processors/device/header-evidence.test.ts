import test from 'ava';
import { HeaderGenerator } from 'header-generator';
import type { Attempt } from '../../../src/assessment/attempt.ts';
import { readClaimedBrowser } from '../../../src/processors/device/claimed-browser.ts';
import { findHeaderEvidence } from '../../../src/processors/device/header-evidence.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

type RawHeaders = NonNullable<Attempt['headers']>;

function evidence(headers: RawHeaders) {
  const userAgent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
  return findHeaderEvidence(headers, readClaimedBrowser(userAgent));
}

/** A form sent by Chrome over HTTP/1.1 and https, in Chromium's order. */
const CHROME_FORM: RawHeaders = [
  ['Host', 'app.example.com'],
  ['Connection', 'keep-alive'],
  ['Content-Length', '33'],
  ['Cache-Control', 'max-age=0'],
  ['sec-ch-ua', '"Google Chrome";v="157", "Chromium";v="157", "Not?A_Brand";v="24"'],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', '"Windows"'],
  ['Origin', 'https://app.example.com'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Upgrade-Insecure-Requests', '1'],
  ['User-Agent', CURRENT_BROWSERS['Chrome on Windows']],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
  ['Referer', 'https://app.example.com/signup'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Language', 'de-DE,de;q=0.9,en;q=0.8'],
];

/** The same by a script of the page, in Firefox. */
const FIREFOX_FETCH: RawHeaders = [
  ['Host', 'app.example.com'],
  ['User-Agent', CURRENT_BROWSERS['Firefox on Windows']],
  ['Accept', '*/*'],
  ['Accept-Language', 'en-US,en;q=0.5'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Referer', 'https://app.example.com/signup'],
  ['Content-Type', 'application/json'],
  ['Content-Length', '33'],
  ['Origin', 'https://app.example.com'],
  ['Connection', 'keep-alive'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Sec-Fetch-Site', 'same-origin'],
];

const SAFARI_FORM: RawHeaders = [
  ['Host', 'app.example.com'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Origin', 'https://app.example.com'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Connection', 'keep-alive'],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['User-Agent', CURRENT_BROWSERS['Safari on iOS']],
  ['Referer', 'https://app.example.com/signup'],
  ['Content-Length', '33'],
  ['Sec-Fetch-Dest', 'document'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Accept-Language', 'fr-FR,fr;q=0.9'],
];

const without = (headers: RawHeaders, ...names: readonly (string | RegExp)[]): RawHeaders =>
  headers.filter(
    ([name]) => !names.some((n) => (n instanceof RegExp ? n.test(name) : n === name.toLowerCase())),
  );
const withHeader = (headers: RawHeaders, name: string, value: string): RawHeaders => [
  ...without(headers, name.toLowerCase()),
  [name, value],
];
/** The headers of Chrome on Android when it asks for the desktop page. */
const DESKTOP_PAGE_ON_ANDROID = withHeader(
  withHeader(CHROME_FORM, 'sec-ch-ua-platform', '"Android"'),
  'User-Agent',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36',
);

const COHERENT: Readonly<Record<string, RawHeaders>> = {
  'a form from Chrome': CHROME_FORM,
  'a script in Firefox': FIREFOX_FETCH,
  'a form from Safari': SAFARI_FORM,
  'Chrome over plain http, without any Sec- header': without(CHROME_FORM, /^sec-/i),
  'Chrome behind a proxy that hides the language': without(CHROME_FORM, 'accept-language'),
  'Chrome behind a proxy that strips language, encoding and all Sec- headers': without(
    CHROME_FORM,
    'accept-language',
    'accept-encoding',
    /^sec-/i,
  ),
  'Chrome behind a proxy that strips Origin, Referer and client hints': without(
    CHROME_FORM,
    'origin',
    'referer',
    /^sec-ch/i,
  ),
  'Firefox behind a cache that moves Accept-Encoding to the end': withHeader(
    FIREFOX_FETCH,
    'Accept-Encoding',
    'gzip',
  ),
  'Chrome behind a cache that moves Accept-Encoding to the end': withHeader(
    CHROME_FORM,
    'Accept-Encoding',
    'gzip',
  ),
  'the desktop page on Android': DESKTOP_PAGE_ON_ANDROID,
  'a Chromium with a platform of tomorrow': withHeader(CHROME_FORM, 'sec-ch-ua-platform', '"Fuchsia"'),
  'lower-case names, as HTTP/2 has them': CHROME_FORM.map(([name, value]) => [name.toLowerCase(), value]),
};

for (const [what, headers] of Object.entries(COHERENT)) {
  test(`${what} is coherent`, (t) => {
    t.is(evidence(headers), null);
  });
}

const CONTRADICTORY: Readonly<Record<string, RawHeaders>> = {
  'client hints from Firefox': withHeader(FIREFOX_FETCH, 'Sec-CH-UA', '"Chromium";v="157"'),
  'client hints from Safari': withHeader(SAFARI_FORM, 'Sec-CH-UA', '"Chromium";v="157"'),
  'client hints of another version': withHeader(CHROME_FORM, 'sec-ch-ua', '"Chromium";v="120"'),
  'a phone in the hints of a Windows browser': withHeader(CHROME_FORM, 'sec-ch-ua-mobile', '?1'),
  'Linux in the hints of a Windows browser': withHeader(CHROME_FORM, 'sec-ch-ua-platform', '"Linux"'),
  'Windows in the hints of a Mac': withHeader(CHROME_FORM, 'User-Agent', CURRENT_BROWSERS['Chrome on macOS']),
  'Sec-Fetch from a Chrome of 2017': withHeader(
    without(CHROME_FORM, /^sec-ch/i),
    'User-Agent',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.90 Safari/537.36',
  ),
  'Sec-Fetch from Internet Explorer': withHeader(
    FIREFOX_FETCH,
    'User-Agent',
    'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko',
  ),
  'a navigation that leads nowhere': withHeader(CHROME_FORM, 'Sec-Fetch-Dest', 'empty'),
  'a user’s click in a script’s request': withHeader(FIREFOX_FETCH, 'Sec-Fetch-User', '?1'),
  'a script with a borrowed user agent': [
    ['User-Agent', CURRENT_BROWSERS['Chrome on Windows']],
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
    ['Content-Type', 'application/json'],
    ['Sec-Fetch-Mode', 'cors'],
  ],
  'nothing but a borrowed user agent': [['User-Agent', CURRENT_BROWSERS['Chrome on Windows']]],
};

for (const [what, headers] of Object.entries(CONTRADICTORY)) {
  test(`${what}: inconsistent headers, with evidence`, (t) => {
    const finding = evidence(headers);
    t.is(finding?.code, 'inconsistent_headers');
    t.truthy(finding?.evidence);
    t.true((finding?.fields?.headers ?? []).length > 0);
  });
}

test('the fields name the headers that contradict the browser, or that are missing', (t) => {
  const platform = withHeader(CHROME_FORM, 'sec-ch-ua-platform', '"Linux"');
  t.deepEqual(evidence(platform)?.fields, { headers: ['sec-ch-ua-platform', 'user-agent'] });
  t.deepEqual(evidence([['User-Agent', CURRENT_BROWSERS['Chrome on Windows']]])?.fields, {
    headers: ['accept-language', 'accept', 'accept-encoding', 'origin', 'referer'],
  });
});

test('a headless browser under a borrowed name is betrayed by its client hints', (t) => {
  const headers = withHeader(CHROME_FORM, 'sec-ch-ua', '"HeadlessChrome";v="157", "Chromium";v="157"');
  t.is(evidence(headers)?.code, 'headless_browser');
});

test('a client that claims no browser is not compared with a browser’s headers', (t) => {
  t.is(evidence([['User-Agent', 'Nokia6280/2.0 (03.60) Profile/MIDP-2.0']]), null);
});

test('evidence stays short for any headers', (t) => {
  const headers = withHeader(CHROME_FORM, 'sec-ch-ua', `"Chromium";v="${'1'.repeat(5000)}"`);
  t.true((evidence(headers)?.evidence ?? '').length <= 200);
});

test('no header set that real browsers were seen to send is held against them', (t) => {
  const generator = new HeaderGenerator({
    browsers: ['chrome', 'firefox', 'safari', 'edge'],
    devices: ['desktop', 'mobile'],
    operatingSystems: ['windows', 'macos', 'linux', 'android', 'ios'],
  });
  const suspected: RawHeaders[] = [];
  for (let run = 0; run < 1500; run += 1) {
    // The generator speaks of page visits; a signup adds Origin, which every browser sends with a POST.
    const headers: RawHeaders = [
      ...Object.entries(generator.getHeaders()),
      ['origin', 'https://app.example.com'],
    ];
    if (evidence(headers) !== null) suspected.push(headers);
  }
  t.true(suspected.length <= 15, `${suspected.length} of 1500: ${JSON.stringify(suspected.slice(0, 3))}`);
});
