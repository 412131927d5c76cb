import type { Attempt } from '../../assessment/attempt.ts';
import type { Finding } from '../../assessment/processor.ts';
import type { ClaimedBrowser } from './claimed-browser.ts';

type RawHeaders = NonNullable<Attempt['headers']>;

/** The headers that are checked, by lower-case name: the first value and its position. */
type Headers = ReadonlyMap<string, { readonly value: string; readonly position: number }>;

const WATCHED = new Set([
  ...['user-agent', 'accept', 'accept-language', 'accept-encoding', 'origin', 'referer'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
  ...['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'],
]);

/** One proxy may remove one or two headers, but not three. */
const SOFT_SIGNS = 3;

/**
 * Compares the request's headers with the browser that the user agent claims.
 *
 * One contradiction is enough: a header that this browser never sends, or a header that names another browser. A
 * missing header is a soft sign, because proxies remove headers, and plain http carries neither client hints nor
 * Sec-Fetch (browsers send both in secure contexts only). Three soft signs are enough.
 */
export function findHeaderEvidence(raw: RawHeaders, claimed: ClaimedBrowser): Finding | null {
  if (claimed.engine === null) return null;
  const headers = watchedHeaders(raw);
  const hints = headers.get('sec-ch-ua')?.value ?? null;
  if (hints !== null && /HeadlessChrome/i.test(hints)) {
    return {
      code: 'headless_browser',
      evidence: 'Sec-CH-UA names HeadlessChrome',
      fields: { program: 'HeadlessChrome', headers: ['sec-ch-ua'] },
    };
  }
  const contradiction = contradictingHints(headers, hints, claimed) ?? contradictingFetch(headers, claimed);
  if (contradiction !== null) return inconsistent([contradiction]);
  const signs = softSigns(headers, claimed);
  return signs.length >= SOFT_SIGNS ? inconsistent(signs) : null;
}

/** One sign against the claimed browser, and the headers that are wrong or missing. */
interface Sign {
  readonly said: string;
  readonly headers: readonly string[];
}

function sign(said: string, ...headers: readonly string[]): Sign {
  return { said, headers };
}

function inconsistent(signs: readonly Sign[]): Finding {
  return {
    code: 'inconsistent_headers',
    evidence: signs.map(({ said }) => said).join(', '),
    fields: { headers: [...new Set(signs.flatMap(({ headers }) => headers))] },
  };
}

/** Only Chromium sends client hints (https://wicg.github.io/ua-client-hints/), since version 84. */
function contradictingHints(headers: Headers, hints: string | null, claimed: ClaimedBrowser): Sign | null {
  if (hints === null) return null;
  if (claimed.engine !== 'chromium') {
    return sign('Sec-CH-UA from a browser that is not Chromium', 'sec-ch-ua');
  }
  const chromium = /"Chrom(?:ium|e)";\s*v="(\d+)/.exec(hints)?.[1];
  if (chromium !== undefined && Number(chromium) !== claimed.major) {
    const said = `Sec-CH-UA says Chromium ${chromium.slice(0, 4)}, the user agent ${claimed.major}`;
    return sign(said, 'sec-ch-ua', 'user-agent');
  }
  const mobile = headers.get('sec-ch-ua-mobile')?.value;
  // The opposite proves nothing: tablets, and phones that ask for desktop pages, send ?0.
  if (mobile === '?1' && isDesktop(claimed)) {
    return sign('Sec-CH-UA-Mobile from a desktop browser', 'sec-ch-ua-mobile', 'user-agent');
  }
  const platform = headers.get('sec-ch-ua-platform')?.value.replaceAll('"', '').toLowerCase();
  const allowed = claimed.platform && HINTED_PLATFORMS[claimed.platform];
  if (platform !== undefined && allowed && KNOWN_HINTS.has(platform) && !allowed.includes(platform)) {
    const said = `Sec-CH-UA-Platform says ${platform}, the user agent ${claimed.platform}`;
    return sign(said, 'sec-ch-ua-platform', 'user-agent');
  }
  return null;
}

/** Possible values of Sec-CH-UA-Platform. Android browsers send Linux when they ask for desktop pages. */
const HINTED_PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  windows: ['windows'],
  macos: ['macos'],
  ios: ['ios'],
  android: ['android'],
  chromeos: ['chrome os', 'chromium os', 'linux'],
  linux: ['linux', 'android', 'chrome os', 'chromium os'],
};
const KNOWN_HINTS = new Set(Object.values(HINTED_PLATFORMS).flat());

/**
 * The first versions that send Sec-Fetch-* (MDN, https://www.w3.org/TR/fetch-metadata/). Safari sends it since 16.4.
 */
const FETCH_METADATA_SINCE = { chromium: 76, gecko: 90, webkit: 16 } as const;

function contradictingFetch(headers: Headers, { engine, major, platform }: ClaimedBrowser): Sign | null {
  const mode = headers.get('sec-fetch-mode')?.value;
  if (mode === undefined) return null;
  if (engine === 'trident' || engine === 'presto' || engine === 'edgehtml') {
    return sign('Sec-Fetch-Mode from a browser that never sent it', 'sec-fetch-mode', 'user-agent');
  }
  // On iOS the number is that of the system for other browsers too, so this check does not apply there.
  if (engine !== null && platform !== 'ios' && major !== null && major < FETCH_METADATA_SINCE[engine]) {
    return sign('Sec-Fetch-Mode from a browser older than it', 'sec-fetch-mode', 'user-agent');
  }
  const destination = headers.get('sec-fetch-dest')?.value;
  if (mode === 'navigate' && destination === 'empty') {
    return sign('a navigation without a document in Sec-Fetch-Dest', 'sec-fetch-mode', 'sec-fetch-dest');
  }
  if ((mode === 'cors' || mode === 'no-cors') && destination === 'document') {
    return sign('a document fetched without a navigation', 'sec-fetch-mode', 'sec-fetch-dest');
  }
  if (mode !== 'navigate' && headers.has('sec-fetch-user')) {
    return sign('Sec-Fetch-User without a navigation', 'sec-fetch-mode', 'sec-fetch-user');
  }
  return null;
}

/** Created once, so that an ordinary signup creates no objects for them. */
const SIGNS = {
  noLanguage: sign('no Accept-Language', 'accept-language'),
  noAccept: sign('no Accept', 'accept'),
  noEncoding: sign('no Accept-Encoding', 'accept-encoding'),
  noOrigin: sign('neither Origin nor Referer', 'origin', 'referer'),
  noHints: sign('no Sec-CH-UA beside Sec-Fetch-Mode', 'sec-ch-ua'),
  noFetchMode: sign('no Sec-Fetch-Mode beside Sec-CH-UA', 'sec-fetch-mode'),
  chromiumOrder: sign('the order of another client', 'accept-encoding', 'accept-language'),
  geckoOrder: sign('the order of another client', 'user-agent', 'accept'),
};

/**
 * Checks the headers that every browser sends with a form or with a script's POST. Each of them may be missing for an
 * honest reason.
 */
function softSigns(headers: Headers, { engine, major }: ClaimedBrowser): readonly Sign[] {
  const signs: Sign[] = [];
  if (!headers.has('accept-language')) signs.push(SIGNS.noLanguage);
  if (!headers.has('accept')) signs.push(SIGNS.noAccept);
  if (!headers.has('accept-encoding')) signs.push(SIGNS.noEncoding);
  if (!headers.has('origin') && !headers.has('referer')) signs.push(SIGNS.noOrigin);
  // Sec-Fetch proves a secure context, and there Chromium since version 89 sends its hints too.
  if (engine === 'chromium' && (major ?? 0) >= 89) {
    const hinted = headers.has('sec-ch-ua');
    const fetched = headers.has('sec-fetch-mode');
    if (fetched && !hinted) signs.push(SIGNS.noHints);
    if (hinted && !fetched) signs.push(SIGNS.noFetchMode);
  }
  const order = foreignOrder(headers, engine);
  if (order) signs.push(order);
  return signs;
}

/**
 * Chromium's network layer adds Accept-Encoding and then Accept-Language at the end; Firefox writes User-Agent, Accept,
 * Accept-Language, Accept-Encoding. Caches rewrite Accept-Encoding, so the order is only a soft sign.
 */
function foreignOrder(headers: Headers, engine: ClaimedBrowser['engine']): Sign | null {
  const at = (name: string) => headers.get(name)?.position ?? null;
  const isAfter = (a: number | null, b: number | null) => a !== null && b !== null && a > b;
  if (engine === 'chromium' && isAfter(at('accept-encoding'), at('accept-language')))
    return SIGNS.chromiumOrder;
  if (engine === 'gecko' && isAfter(at('user-agent'), at('accept'))) return SIGNS.geckoOrder;
  return null;
}

function isDesktop({ platform }: ClaimedBrowser): boolean {
  return platform === 'windows' || platform === 'macos' || platform === 'chromeos';
}

function watchedHeaders(raw: RawHeaders): Headers {
  const headers = new Map<string, { value: string; position: number }>();
  raw.forEach(([spelled, value], position) => {
    const name = spelled.toLowerCase();
    if (WATCHED.has(name) && !headers.has(name)) headers.set(name, { value, position });
  });
  return headers;
}
