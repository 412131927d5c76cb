import { FeedError } from './feed-error.ts';

/** The validators of the present copy. With them, the server can confirm that the copy is current. */
export interface FeedValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchedFeed =
  | { readonly state: 'unchanged' }
  | ({ readonly state: 'fetched'; readonly body: string } & FeedValidators);

export interface FetchFeedOptions {
  /** Null when there is no copy yet. */
  readonly validators: FeedValidators | null;
  /** Ends the request early. */
  readonly signal: AbortSignal;
  /** The time limit of the whole fetch with its redirects, in milliseconds. */
  readonly timeoutMs?: number;
  /** The size limit after decompression, so that a decompression bomb is stopped too. */
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a feed over http or https, with validators of RFC 9110 section 13. Follows redirects, but never from https to
 * http, and sends user and password of the URL only to the origin of that URL.
 * @throws {FeedError} that says what failed. It never contains the URL, because the URL may contain a password.
 */
export async function fetchFeed(address: string, options: FetchFeedOptions): Promise<FetchedFeed> {
  const { validators, signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  // The timer keeps the signal alive. Node 20 may delete a signal of `AbortSignal.any` or `AbortSignal.timeout`, which
  // then never aborts.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const stop = () => deadline.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const response = await follow(new URL(address), validators, deadline.signal);
    if (response.status === 304 && validators) {
      await response.body?.cancel();
      return { state: 'unchanged' };
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new FeedError(`The server answered ${response.status}.`);
    }
    const body = await readBounded(response, maxBytes);
    const { headers } = response;
    return { state: 'fetched', body, etag: headers.get('etag'), lastModified: headers.get('last-modified') };
  } catch (error) {
    if (error instanceof FeedError) throw error;
    if (signal.aborted) throw new FeedError('It was stopped.', { cause: error });
    if (deadline.signal.aborted)
      throw new FeedError(`It did not arrive within ${timeoutMs} ms.`, { cause: error });
    throw new FeedError(`It could not be fetched: ${reasonOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function follow(first: URL, validators: FeedValidators | null, signal: AbortSignal): Promise<Response> {
  const authorization = basicAuthorization(first);
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const headers = requestHeaders(validators, url.origin === first.origin ? authorization : null);
    const response = await fetch(withoutUser(url), { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, url);
    if (
      !['http:', 'https:'].includes(next.protocol) ||
      (url.protocol === 'https:' && next.protocol === 'http:')
    ) {
      throw new FeedError(`It redirects to ${next.protocol}. Such redirects are not followed.`);
    }
    url = next;
  }
  throw new FeedError(`It redirects more than ${MAX_REDIRECTS} times.`);
}

function requestHeaders(validators: FeedValidators | null, authorization: string | null): Headers {
  const headers = new Headers({ accept: 'text/plain, application/json;q=0.9, */*;q=0.1' });
  if (validators?.etag) headers.set('if-none-match', validators.etag);
  if (validators?.lastModified) headers.set('if-modified-since', validators.lastModified);
  if (authorization !== null) headers.set('authorization', authorization);
  return headers;
}

/** `fetch` refuses urls that contain a user. */
function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream and so the download.
    if (bytes > maxBytes) throw new FeedError(`It is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The innermost cause of an undici error has the useful error code: ECONNREFUSED, ENOTFOUND, or a TLS alert. */
function reasonOf(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
