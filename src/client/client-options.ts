/** What to do when a call gets no decision. */
export type OnError = 'allow' | 'deny' | 'throw';

export interface ClientOptions {
  /** The URL of the API, such as `http://127.0.0.1:8080`. */
  readonly url: string | URL;
  readonly apiKey: string;
  /**
   * What `score` returns when Gatekeeper does not answer in time or cannot answer: a fallback that accepts the signup
   * (`allow`) or refuses it (`deny`). With `throw`, it throws an error and returns no result. All other methods throw.
   */
  readonly onError: OnError;
  /** Milliseconds for a whole call with all its retries, 1 to 600,000. Default: 3,000. */
  readonly timeout?: number | undefined;
  /** The number of tries after the first try, 0 to 10. Default: 2. */
  readonly retries?: number | undefined;
  /** Replaces the `fetch` of the runtime, for example to use a private certificate authority. */
  readonly fetch?: typeof fetch | undefined;
}

/** The options after the checks, with their defaults. */
export interface ClientSettings {
  /** The URL of the API. It ends with a slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly onError: OnError;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof fetch;
}

const OPTIONS = {
  url: true,
  apiKey: true,
  onError: true,
  timeout: true,
  retries: true,
  fetch: true,
} satisfies Record<keyof ClientOptions, true>;

/** @throws {TypeError} The message names the option and its expected value. */
export function readOptions(options: ClientOptions): ClientSettings {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new TypeError(`unknown option ${unknown}; expected ${Object.keys(OPTIONS).join(', ')}`);
  const { apiKey, onError, timeout = 3_000, retries = 2 } = options;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key such as gk_live_…; is its environment variable set?');
  }
  if (!['allow', 'deny', 'throw'].includes(onError)) {
    throw new TypeError(
      "onError must be 'allow', 'deny' or 'throw': what to do when Gatekeeper does not answer",
    );
  }
  checkInteger('timeout', timeout, { from: 1, to: 600_000, unit: 'milliseconds' });
  checkInteger('retries', retries, { from: 0, to: 10, unit: 'tries' });
  // Without the option `fetch`, each call reads the global `fetch`, because tracing tools may replace it later.
  const call: typeof fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  return { baseUrl: baseUrlOf(options.url), apiKey, onError, timeoutMs: timeout, retries, fetch: call };
}

function checkInteger(
  name: string,
  value: number,
  { from, to, unit }: { readonly from: number; readonly to: number; readonly unit: string },
): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new TypeError(`${name} must be a whole number of ${unit} from ${from} to ${to}, but is ${value}`);
}

function baseUrlOf(given: string | URL): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new TypeError('url must be the URL of the API, such as http://127.0.0.1:8080');
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('url must begin with http:// or https://');
  if (url.username || url.password) throw new TypeError('url must not contain a user name or a password');
  if (url.search || url.hash) throw new TypeError('url must not contain a query or a fragment');
  if (/\/score-signup\/?$/.test(url.pathname)) {
    throw new TypeError('url must be the URL of the API without /score-signup');
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
