import type { IncomingMessage } from 'node:http';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError, readBody } from '../http/read-body.ts';
import { createBodyBudget } from './body-budget.ts';
import type { MatchedRoutes } from './routes/match-routes.ts';
import { readSignup, type Signup } from './signup-body/read-signup.ts';
import type { Visit } from './visit.ts';

/** A body, and the signup in it if there is one; or why it could not be read, in monitor mode alone. */
export type Reading = (
  | { readonly body: Buffer; readonly signup: Signup | null }
  | { readonly body: Buffer | null; readonly unreadable: unknown }
) & {
  /** Gives the room for the body back. */
  readonly release: () => void;
};

export type RequestReader = (visit: Visit, match: MatchedRoutes) => Promise<Reading>;

/** Of all bodies on hold together: 256 of the largest size that is allowed by default. */
const BODY_BUDGET_BYTES = 268_435_456;

/**
 * Reads requests that fit a route, whole. The reader throws a ProblemError for what cannot be read in one way only, and
 * for what there is no room for; where every route that fits is watched in monitor mode it returns that instead, because
 * a dry run refuses nobody.
 */
export function createRequestReader(
  limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>,
): RequestReader {
  const budget = createBodyBudget(BODY_BUDGET_BYTES);

  return async ({ request, response }, match) => {
    const { candidates, budget: workBudget } = match;
    const limitBytes = candidates.reduce((limit, { route }) => Math.max(limit, route.max_body), 0);
    const room = budget.take(announcedBytes(request, limitBytes));
    const release = () => room?.();
    let body: Buffer | null = null;
    try {
      if (match.kind === 'refuse') throw new ProblemError('invalid_request', match.why);
      if (!room) throw noRoom();
      body = await readBody(request, response, {
        limitBytes,
        timeoutMs: limits.body_timeout,
        minBytesPerSecond: limits.min_body_rate,
      });
      const signup = await readSignup(
        {
          target: request.url ?? '/',
          rawHeaders: request.rawHeaders,
          contentTypes: valuesOf(request.rawHeaders, 'content-type'),
          contentEncodings: valuesOf(request.rawHeaders, 'content-encoding'),
          budget: workBudget,
          bytes: body,
        },
        candidates,
      );
      return { body, signup, release };
    } catch (error) {
      // Of a body that was given up half-way, nothing is left to forward.
      const isWhole = body !== null || request.readableFlowing === null;
      const isDryRun = candidates.length > 0 && candidates.every(({ route }) => route.mode === 'monitor');
      if (isDryRun && isWhole && !(error instanceof BodyAbortedError)) {
        return { body, unreadable: error, release };
      }
      release();
      throw error;
    }
  };
}

/** How much of a body may have to be kept. One that is too large is refused by its announcement, and takes nothing. */
function announcedBytes({ headers }: IncomingMessage, limitBytes: number): number {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 0 : limitBytes;
  return Number(length) > limitBytes ? 0 : Number(length);
}

function noRoom(): ProblemError {
  return new ProblemError('overloaded', 'Too many large signups are being read right now.', {
    retryAfterSeconds: 5,
  });
}

/** All values of a field, one for each line. */
function valuesOf(rawHeaders: readonly string[], lowerCaseName: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      values.push(rawHeaders[i + 1] ?? '');
    }
  }
  return values;
}
