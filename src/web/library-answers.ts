import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
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

const DATA_OF_ROUTER = /^([^?]*?)(?:(?<=^\/)_root|(?<=\/)_)?\.data(?=\?|$)/;

const DATA_OF_QWIK = /^([^?]*\/)q-data\.json(?=\?|$)/;

/** The scripts of SvelteKit send it with a form. */
export const SVELTEKIT_FIELD = 'x-sveltekit-action';

/**
 * The answer with which a library that sends a form by script leaves its page for a URL; null for other clients. A
 * redirect would lead the script there, not the browser.
 */
export function redirectForLibrary(
  { headers, url: target = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  url: string,
): Reply | null {
  // Next.js reads a word behind a semicolon.
  if (isOfNext(headers))
    return { status: 303, headers: ['X-Action-Redirect', url.replaceAll(';', '%3B')], body: '' };
  if (isOfSvelteKit(headers)) return jsonReply(200, { type: 'redirect', status: 303, location: url });
  if ('x-inertia' in headers) return { status: 409, headers: ['X-Inertia-Location', url], body: '' };
  // The others name themselves only by the end of the path, and accept every type.
  if (headers.accept !== '*/*') return null;
  // The script of Qwik opens the page to which it is led.
  if (DATA_OF_QWIK.test(target)) return { status: 303, headers: ['Location', url], body: '' };
  if (DATA_OF_ROUTER.test(target))
    return { status: 202, headers: ROUTER_HEADERS, body: JSON.stringify(redirectOfRouter(url)) };
  return null;
}

/** The page whose data React Router requests at a path; null for other paths. */
export function pageOfRouter(path: string): string | null {
  return DATA_OF_ROUTER.test(path) ? path.replace(DATA_OF_ROUTER, '$1') : null;
}

/** The page whose data Qwik requests at a path; null for other paths. */
export function pageOfQwik(path: string): string | null {
  return DATA_OF_QWIK.test(path) ? path.replace(DATA_OF_QWIK, '$1') : null;
}

const ROUTER_HEADERS = ['Content-Type', 'text/x-script; charset=utf-8', 'X-Remix-Response', 'yes'];

/** In the format turbo-stream, where numbers are places in the list: `{redirect: url, status: 302, reload: true, …}`. */
function redirectOfRouter(url: string): readonly unknown[] {
  const members = { _1: 2, _3: 4, _5: 6, _7: 8, _9: 6 };
  return [members, 'redirect', url, 'status', 302, 'revalidate', false, 'reload', true, 'replace'];
}

/** The answer that a library shows as an error of the form; null for other clients. Inertia shows pages. */
export function errorForLibrary(
  headers: IncomingHttpHeaders,
  { status, message }: { readonly status: number; readonly message: string },
): Reply | null {
  // Next.js reads no type with parameters.
  if (isOfNext(headers)) return { status, headers: ['Content-Type', 'text/plain'], body: message };
  return isOfSvelteKit(headers) ? jsonReply(status, { type: 'error', error: { status, message } }) : null;
}

function isOfNext(headers: IncomingHttpHeaders): boolean {
  return 'next-action' in headers;
}

function isOfSvelteKit(headers: IncomingHttpHeaders): boolean {
  return headers[SVELTEKIT_FIELD] === 'true';
}

function jsonReply(status: number, content: object): Reply {
  return { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(content) };
}
