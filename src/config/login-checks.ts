import { type CheckContext, itemsOf } from './checks.ts';

/**
 * Checks user and password of the URLs to which Gatekeeper sends requests. URLs encode them, and with a percent sign
 * that begins no code, no login can be sent.
 */
export function checkLogins({ document, isValid, issue }: CheckContext): void {
  const urls: (readonly [place: string, url: unknown])[] = [
    ...urlsIn('/datasets/feeds', document.datasets?.feeds),
    ...urlsIn('/exports', document.exports),
    ...urlsIn('/alerts', document.alerts),
    ['/telemetry/traces/otlp', document.telemetry?.traces?.otlp],
  ];
  for (const [place, url] of urls) {
    if (!isValid(place) || typeof url !== 'string' || isDecodable(new URL(url))) continue;
    issue(place, 'the user or the password has a % that begins no code', 'write %25 for a %');
  }
}

function urlsIn(list: string, items: unknown): (readonly [string, unknown])[] {
  return itemsOf<{ readonly url?: unknown }>(items).map(([i, { url }]) => [`${list}/${i}/url`, url]);
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
