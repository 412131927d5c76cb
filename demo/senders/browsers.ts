import type { BrowserReleases, DeviceDatasets } from '../../src/datasets/datasets.ts';

/** Header fields of a request, in the order in which the browser sends them. */
export type Headers = readonly (readonly [name: string, value: string])[];

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const LANGUAGES = 'de-DE,de;q=0.9,en;q=0.8';

/** Browsers of today, the commonest more often, each with the header fields of a form that it submits. */
export function currentBrowsers({ browsers, asOf }: DeviceDatasets): readonly Headers[] {
  const newest = (name: string) => newestVersion(browsers.get(name), asOf);
  const chrome = newest('chrome');
  const firefox = newest('firefox');
  const onWindows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/${chrome}.0.0.0 Safari/537.36`;
  const onMac = onWindows.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7');
  const onAndroid = `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/${chrome}.0.0.0 Mobile Safari/537.36`;
  const onIphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} Version/18.5 Mobile/15E148 Safari/604.1`;
  const windows = chromium(onWindows, chrome, 'Windows');
  const iphone = browser(onIphone);
  const android = chromium(onAndroid, chrome, 'Android');
  return [
    ...[windows, windows, windows, iphone, iphone, android, android],
    chromium(onMac, chrome, 'macOS'),
    browser(`Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${firefox}.0) Gecko/20100101 Firefox/${firefox}.0`),
    browser(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.5 Safari/605.1.15`),
  ];
}

/** A script that does not hide what it is. */
export const SCRIPT: Headers = [
  ['user-agent', 'python-requests/2.32.3'],
  ['accept', '*/*'],
];

function browser(userAgent: string): Headers {
  return [
    ['user-agent', userAgent],
    ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['accept-language', LANGUAGES],
    ['accept-encoding', 'gzip, deflate, br, zstd'],
    ['sec-fetch-site', 'same-origin'],
    ['sec-fetch-mode', 'navigate'],
    ['sec-fetch-dest', 'document'],
  ];
}

function chromium(userAgent: string, version: number, platform: string): Headers {
  const isMobile = platform === 'Android' ? '?1' : '?0';
  return [
    ['sec-ch-ua', `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not_A Brand";v="99"`],
    ['sec-ch-ua-mobile', isMobile],
    ['sec-ch-ua-platform', `"${platform}"`],
    ...browser(userAgent),
  ];
}

function newestVersion(releases: BrowserReleases | undefined, asOf: number): number {
  const known = releases?.versions.filter((_, i) => (releases.releasedAt[i] ?? asOf) <= asOf) ?? [];
  return known.at(-1) ?? 0;
}
