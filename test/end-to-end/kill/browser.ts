/** The dashboard as one signed-in browser, with the token that its forms carry. */
export interface Browser {
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The session that the answer opens; null when it opens none. */
  readonly cookie: string | null;
}

/** @param cookie empty for a browser without a session. */
export function openBrowser(url: string, cookie: string): Browser {
  let csrf = '';
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const body = await response.text();
    csrf = /name="csrf" value="([^"]*)"/.exec(body)?.[1] ?? csrf;
    const [opened] = response.headers.getSetCookie();
    return { status: response.status, body, cookie: opened?.split(';', 1)[0] ?? null };
  };
  const headers = cookie === '' ? {} : { cookie };
  return {
    cookie,
    get: (path) => ask(path, { headers }),
    async post(path, fields) {
      if (csrf === '' && cookie !== '') {
        const { status } = await ask('/account', { headers });
        // Without the token, the form would be refused as one of another site.
        if (status === 503) throw new Error(`the page of the form was answered with ${status}`);
      }
      const body = new URLSearchParams({ csrf, ...fields });
      return ask(path, { method: 'POST', headers: { ...headers, origin: url }, body });
    },
  };
}
