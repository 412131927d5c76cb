import { request } from 'node:http';

/** A browser as far as forms and cookies go: it keeps what it is given, and posts the token of the page it saw last. */
export interface CookieBrowser {
  readonly cookies: Map<string, string>;
  /** Every `Set-Cookie` of the last answer, as it came. */
  readonly lastSetCookies: readonly string[];
  get(path: string): Promise<BrowserAnswer>;
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** As it stands, without what a browser adds. */
  send(options: SendOptions): Promise<BrowserAnswer>;
}

export interface SendOptions {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** @param host What it believes to be connected to; another one than the URL's where a proxy stands between. */
export function openCookieBrowser(url: string, { host }: { readonly host?: string } = {}): CookieBrowser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];
  const { hostname, port } = new URL(url);
  let csrf = '';

  function send({ method, path, headers = {}, body }: SendOptions): Promise<BrowserAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { ...(host && { host }), ...(cookie && { cookie }), accept: 'text/html', ...headers };
    return new Promise((resolve, reject) => {
      request({ hostname, port, method, path, headers: all, agent: false }, async (response) => {
        setCookies.splice(0, Infinity, ...(response.headers['set-cookie'] ?? []));
        for (const text of setCookies) store(text);
        let text = '';
        for await (const chunk of response) text += chunk;
        csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? csrf;
        const { location = null, 'retry-after': retryAfter = null } = response.headers;
        resolve({ status: response.statusCode ?? 0, location, retryAfter, body: text });
      })
        .on('error', reject)
        .end(body);
    });
  }

  function store(text: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (/; Max-Age=0\b/.test(text)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    cookies,
    lastSetCookies: setCookies,
    send,
    get: (path) => send({ method: 'GET', path }),
    post: (path, fields = {}) =>
      send({
        ...{ method: 'POST', path },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: `${host === undefined ? 'http' : 'https'}://${host ?? `${hostname}:${port}`}`,
          'sec-fetch-site': 'same-origin',
        },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      }),
  };
}

/** What a person reads of a page. */
export function textOf({ body }: BrowserAnswer): string {
  return body
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}
