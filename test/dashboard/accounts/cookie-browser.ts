import { request } from 'node:http';

/** A browser with cookies and forms: it stores cookies, and posts the token of the last page. */
export interface CookieBrowser {
  readonly cookies: Map<string, string>;
  /** Every `Set-Cookie` of the last answer, unchanged. */
  readonly lastSetCookies: readonly string[];
  get(path: string): Promise<BrowserAnswer>;
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** An unchanged request, without the header fields of a browser. */
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

/** @param host The `Host` header; differs from the URL behind a proxy. */
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

/** The visible text of a page. */
export function textOf({ body }: BrowserAnswer): string {
  return body
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}
