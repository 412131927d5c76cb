import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { RouteConfig } from '../../config/config.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { GateMetrics } from '../../telemetry/metrics.ts';
import { upstreamTarget } from '../transport/upstream-request.ts';
import {
  type BodyInspector,
  createBodyInspector,
  mayHoldMailbox,
  type SignupLikeField,
} from './signup-like-fields.ts';
import type { UnjudgedSignups } from './unjudged-signups.ts';

export interface PassingWatchDependencies {
  readonly unjudged: UnjudgedSignups;
  readonly metrics: Pick<GateMetrics, 'unjudged'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A body that is forwarded to the app. */
export interface PassingBody {
  /** @param bytes The body, or its first bytes. */
  look(bytes: Buffer): void;
  /**
   * Counts the body if it looks like a signup and the app handles its path.
   * @param status The status of the app's answer; null without an answer.
   */
  answered(status: number | null): void;
}

export interface PassingWatch {
  /** Null for a request without a body to check. */
  begin(request: IncomingMessage): PassingBody | null;
}

/** Enough for a signup with a picture. Larger bodies are uploads. */
const MAX_LENGTH = 16_777_216;
/**
 * Checks of bodies that contain an email, per second. A check takes 2 µs, at worst 170 µs: this limits all checks to
 * 3.4 % of a core. A form that is used more often is sampled.
 */
const LOOKS_PER_SECOND = 200;
/** GraphQL and JSON-RPC, which have one path for all operations. */
const OPERATION = /^(?:variables|params)\./;
/** The app does not handle this path, or not with this method. */
const NOT_HANDLED: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * Checks forwarded bodies that no route judges. It delays no request and keeps only counts: an operator sees an
 * unprotected or forgotten signup route on the first day that clients use it.
 */
export function createPassingWatch(
  routes: readonly RouteConfig[],
  { unjudged, metrics, clock, log }: PassingWatchDependencies,
): PassingWatch {
  const inspect = limitRate(createBodyInspector(routes.flatMap((route) => route.email)), clock);

  function count(request: IncomingMessage, { email, isReadable }: SignupLikeField): void {
    const { method = 'POST', url = '/' } = request;
    const target = upstreamTarget(url)?.path ?? '/';
    const path = pathGroup(target);
    metrics.unjudged(method, path);
    const sharesPath = target.includes('?') || OPERATION.test(email);
    if (!unjudged.add({ method, path, email, isReadable, sharesPath })) return;
    log.warn(
      { method, path, email_field: email },
      isReadable
        ? 'a body that looks like a signup was not judged; if it signs people up, add a route for it'
        : 'a body that looks like a signup was not judged, and the gate cannot read its format; if it signs people up, call POST /score-signup from the app',
    );
  }

  return {
    begin(request) {
      const { headers } = request;
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (
        Number.isNaN(length) ? headers['transfer-encoding'] === undefined : length > MAX_LENGTH || length < 5
      )
        return null;
      let found: SignupLikeField | null = null;
      return {
        look(bytes) {
          found = inspect(bytes);
        },
        answered(status) {
          if (found !== null && status !== null && !NOT_HANDLED.has(status)) count(request, found);
        },
      };
    },
  };
}

function limitRate(inspect: BodyInspector, clock: Clock): BodyInspector {
  let second = 0;
  let looks = 0;
  return (bytes) => {
    if (!mayHoldMailbox(bytes)) return null;
    const now = Math.floor(clock() / 1_000);
    if (now !== second) {
      second = now;
      looks = 0;
    }
    return looks++ < LOOKS_PER_SECOND ? inspect(bytes) : null;
  };
}

/** Longer paths are cut: no signup path is deeper. */
const MAX_SEGMENTS = 6;
/** A word that a developer chose (OData: `$batch`). An id, a token or a person's name does not match. */
const WORD = /^\$?[a-z](?:[a-z]|[._-](?=[a-z0-9])|\d(?!\d\d)){0,31}$/i;

/**
 * The path of a request without the parts that may identify a person: `/users/4711/invite?mail=…` becomes
 * `/users/:id/invite`. The result is a valid path for a route.
 */
export function pathGroup(path: string): string {
  const end = path.search(/[?#]/);
  const segments = (end === -1 ? path : path.slice(0, end)).split('/', MAX_SEGMENTS + 2).slice(1);
  const kept = segments
    .slice(0, MAX_SEGMENTS)
    .map((segment, i) =>
      WORD.test(segment) || (segment === '' && i === segments.length - 1) ? segment : ':id',
    );
  return segments.length > MAX_SEGMENTS ? `/${kept.join('/')}/**` : `/${kept.join('/')}`;
}
