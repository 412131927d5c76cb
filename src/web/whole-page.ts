import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from './own-reply.ts';

/**
 * Libraries that load pages by script put them into the page of the app, or drop them. There the style of our pages does
 * not apply, and their forms lead to other URLs. So each library is asked in its own words to load the page as a whole.
 */
const TURBO = '<meta name="turbo-visit-control" content="reload">';

/** The page for Turbo, which otherwise shows only the part of it that belongs into a frame. */
export function pageForTurbo(page: Page): Page {
  return { ...page, html: page.html.replace(/<head\b[^>]*>/i, `$&${TURBO}`) };
}

export function isInTurboFrame(headers: IncomingHttpHeaders): boolean {
  return headers['turbo-frame'] !== undefined;
}

/** The header fields with which htmx loads the page at this URL. */
export function headersForHtmx(headers: IncomingHttpHeaders, url: string): readonly string[] {
  return headers['hx-request'] === undefined ? [] : ['HX-Redirect', url];
}
