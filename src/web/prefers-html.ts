import type { IncomingHttpHeaders } from 'node:http';
import { qualityOf } from './quality.ts';

/** Browsers send fewer entries. Further entries are not read. */
const MAX_ENTRIES = 64;

/**
 * Browsers that accept every type with each request: Links, ELinks, NetSurf and edbrowse send the header field of curl and
 * `fetch`. Their pages have no `fetch`, so a person sees the answer. They are named, because a script in a page of an
 * older browser sends the same fields otherwise.
 */
const SENDS_ANY_TYPE = /^Links \(|^edbrowse\/\d|\bELinks[/ ]|\bNetSurf\/\d/i;

/** htmx and Unpoly put the answer into the page of the app, and also accept every type. */
const LOADS_PAGES = ['hx-request', 'x-up-version'] as const;

/** The value of `Vary` for an answer that depends on `prefersHtml`. */
export const VARY_OF_PREFERENCE = 'Accept, User-Agent, HX-Request, X-Up-Version';

interface Preference {
  readonly quality: number;
  /** 3: the exact type; 2: `text/*`; 1: every type; 0: no match. */
  readonly precision: number;
}

/**
 * Whether a client prefers a page to a problem document (RFC 9110 section 12.5.1). Browsers name `text/html`, most of
 * them without JSON. Programs name JSON or accept every type. For equal qualities the more precise type wins, since old
 * browsers send every type beside `text/html` without qualities. In all other cases the client gets the problem document.
 */
export function prefersHtml(headers: IncomingHttpHeaders): boolean {
  const { accept, 'user-agent': userAgent = '' } = headers;
  if (accept === undefined) return false;
  if (
    accept.trim() === '*/*' &&
    (SENDS_ANY_TYPE.test(userAgent) || LOADS_PAGES.some((name) => name in headers))
  )
    return true;
  const entries = accept.toLowerCase().split(',', MAX_ENTRIES).map(parseEntry);
  const html = preferenceFor('text/html', entries);
  return ['application/problem+json', 'application/json']
    .map((type) => preferenceFor(type, entries))
    .every((json) => html.quality > json.quality || (html.quality === json.quality && isFiner(html, json)));
}

function isFiner(html: Preference, json: Preference): boolean {
  return html.quality > 0 && html.precision > json.precision;
}

interface Entry {
  readonly range: string;
  readonly quality: number;
}

function parseEntry(entry: string): Entry {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
  return { range, quality: qualityOf(parameters) };
}

/** The most precise matching range decides, even if its quality is low. */
function preferenceFor(type: string, entries: readonly Entry[]): Preference {
  const group = `${type.split('/', 1)[0]}/*`;
  const ranges = ['*/*', group, type];
  let best: Preference = { quality: 0, precision: 0 };
  for (const { range, quality } of entries) {
    const precision = ranges.indexOf(range) + 1;
    if (precision > best.precision || (precision === best.precision && quality > best.quality)) {
      best = { quality, precision };
    }
  }
  return best;
}
