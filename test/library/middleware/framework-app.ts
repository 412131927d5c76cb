import { createHash } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Gatekeeper } from '../../../src/library/gatekeeper.ts';
import type { MiddlewareOptions } from '../../../src/library/middleware-options.ts';
import type { SignupDecision } from '../../../src/library/signup-score.ts';
import { CHROME, nextHome, openGatekeeper } from '../library-server.ts';

/** Where the body parser of an app runs, seen from the middleware. `none`: the handler reads the bytes itself. */
export type ParserPlace = 'before' | 'after' | 'none';

/** What the handler of an app got. */
export interface Handled {
  readonly email: unknown;
  /** Hex, of the raw bytes; null where a parser has read them. */
  readonly sha256: string | null;
  readonly decision: SignupDecision | undefined;
}

export interface AppOptions {
  readonly gatekeeper: Gatekeeper;
  readonly options: MiddlewareOptions;
  readonly parser: ParserPlace;
  /** To be called by the handler of `/signup`, for all methods; may throw, and the app passes that on. */
  readonly handle: (handled: Handled) => void;
}

/** An app with the real framework on a port of loopback. */
export interface FrameworkApp {
  readonly name: string;
  readonly parsers: readonly ParserPlace[];
  /** Answers of the handler are 200 with the JSON `{ok: true}`. @returns the URL of the app. */
  open(t: ExecutionContext, app: AppOptions): Promise<string>;
}

export const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

interface OpenedApp {
  readonly url: string;
  readonly gatekeeper: Gatekeeper;
  readonly handled: Handled[];
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

interface OpeningOptions {
  readonly framework: FrameworkApp;
  readonly parser: ParserPlace;
  readonly options: MiddlewareOptions;
  readonly gatekeeper?: Gatekeeper;
}

export async function openApp(
  t: ExecutionContext,
  { framework, parser, options, gatekeeper: opened }: OpeningOptions,
): Promise<OpenedApp> {
  const gatekeeper = opened ?? (await openGatekeeper(t));
  const handled: Handled[] = [];
  const url = await framework.open(t, {
    ...{ gatekeeper, parser },
    options: { trustedProxies: ['127.0.0.1', '::1'], ...options },
    handle: (one) => void handled.push(one),
  });
  return {
    ...{ url, gatekeeper, handled },
    post(body, headers = {}) {
      const isSent = typeof body === 'string' || body instanceof URLSearchParams || body instanceof FormData;
      return fetch(`${url}/signup`, {
        method: 'POST',
        headers: {
          ...CHROME,
          accept: 'application/json',
          'x-forwarded-for': nextHome(),
          ...(isSent ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isSent ? body : JSON.stringify(body),
      });
    },
  };
}

/** The request asks its handler to fail: what a handler with a bug does. */
export function failIfAsked(header: string | string[] | undefined): void {
  if (header !== undefined) throw new Error('the handler has a bug');
}
