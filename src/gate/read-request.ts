import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError, readBodyStart, tooLarge } from '../http/read-body.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createBodyBudget, noRoom } from './budgets.ts';
import type { SpooledBody, StreamedBody } from './forward-body.ts';
import type { GatedRequest } from './gated-request.ts';
import { mayBeLarge, readLargeBody } from './read-large-body.ts';
import type { Signup } from './signup-body/find-signup.ts';
import { readSignup, type SignupHead, unitsFor } from './signup-body/read-signup.ts';
import { senderName } from './transport/upstream-request.ts';

/**
 * A body and the signup in it, if there is one. In monitor mode, the problem in place of the signup when the body could
 * not be read.
 */
export type BodyResult = (
  | { readonly body: Buffer | SpooledBody; readonly signup: Signup | null }
  | { readonly body: StreamedBody; readonly signup: null }
  | { readonly body: Buffer | StreamedBody | null; readonly unreadable: unknown }
) & {
  /** Releases the memory of the body. */
  readonly release: () => void;
};

export interface RequestReaderOptions {
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
  /** The number of processes that share the memory and the disk of this machine. Left out: 1. */
  readonly processes?: number | undefined;
  readonly log: Logger;
}

export type RequestReader = (gated: GatedRequest) => Promise<BodyResult>;

/** The limit for all bodies on hold, of all processes together: 256 bodies of the default maximum size. */
export const BODY_BUDGET_BYTES = 268_435_456;
/** The limit for all bodies in files, of all processes together: 64 bodies of the default maximum size. */
const SPOOL_BUDGET_BYTES = 2_147_483_648;
const REPORT_EVERY_MS = 60_000;
/** The work for a body of any size: about 4 ms of one core, in addition to the work for the head. */
export const BASE_UNITS = 4_000_000;

/**
 * Reads requests that match a route completely. Throws a ProblemError for a request that two parsers could read
 * differently, and when no memory is left. When all matching routes are in monitor mode, the reader returns the
 * problem: a dry run refuses no request.
 */
export function createRequestReader({ limits, processes = 1, log }: RequestReaderOptions): RequestReader {
  const memory = createBodyBudget(BODY_BUDGET_BYTES / processes);
  const files = createBodyBudget(SPOOL_BUDGET_BYTES / processes);
  const spoolDependencies = { files, memory, onFailure: reportTo(log) };
  const pace = { timeoutMs: limits.body_timeout, minBytesPerSecond: limits.min_body_rate };

  return async ({ request, response, match, peer, settings }) => {
    const { candidates, budget } = match;
    const maxBody = candidates.reduce((limit, { route }) => Math.max(limit, route.max_body), 0);
    const limitBytes = Math.min(maxBody, memory.totalBytes);
    const { url: target = '/', rawHeaders } = request;
    const { contentTypes, contentEncodings } = headOf({ target, rawHeaders });
    // The fields are listed one by one, here and below: a spread costs as much as reading the fields.
    const head = { target, rawHeaders, contentTypes, contentEncodings, budget };
    const held: (() => void)[] = [];
    const release = () => {
      for (const releaseOne of held.splice(0)) releaseOne();
    };
    let body: Buffer | null = null;
    let isWhole = true;
    try {
      if (match.kind === 'refuse') throw new ProblemError('invalid_request', match.why);
      const length = announcedBytes(request);
      if (length > limitBytes && length < Number.POSITIVE_INFINITY && !mayBeLarge(head, candidates))
        throw tooLarge(limitBytes);
      const releaseMemory = memory.reserve(Math.min(length, limitBytes));
      if (!releaseMemory) throw noRoom();
      held.push(releaseMemory);
      isWhole = request.readableFlowing === null;
      const start = await readBodyStart(request, response, {
        limitBytes,
        timeoutMs: pace.timeoutMs,
        minBytesPerSecond: pace.minBytesPerSecond,
        senderOf: () => senderName(peer, rawHeaders, settings.trust),
      });
      ({ bytes: body, isWhole } = start);
      budget.grow(BASE_UNITS + unitsFor(body.length, candidates));
      if (isWhole) {
        const buffered = { target, rawHeaders, contentTypes, contentEncodings, budget, bytes: body };
        return { body, signup: await readSignup(buffered, candidates), release };
      }
      const rest = { request, head, candidates, start: body, pace, spoolDependencies };
      const { close, ...large } = await readLargeBody(rest);
      held.push(close);
      return { ...large, release };
    } catch (error) {
      // An incomplete body cannot be forwarded.
      const isDryRun = candidates.length > 0 && candidates.every(({ route }) => route.mode === 'monitor');
      if (isDryRun && isWhole && !(error instanceof BodyAbortedError))
        return { body, unreadable: error, release };
      release();
      throw error;
    }
  };
}

/** The head of a request, as far as its body needs it. */
export function headOf({
  target,
  rawHeaders,
}: Pick<SignupHead, 'target' | 'rawHeaders'>): Omit<SignupHead, 'budget'> {
  return {
    target,
    rawHeaders,
    contentTypes: valuesOf(rawHeaders, 'content-type'),
    contentEncodings: valuesOf(rawHeaders, 'content-encoding'),
  };
}

/** The announced length of a body that must be kept; without an announcement, the largest allowed length. */
export function announcedBytes({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Number.POSITIVE_INFINITY;
}

/** The log gets at most one line a minute for any number of forms: more lines would fill the disk even more. */
function reportTo(log: Logger): (error: unknown) => void {
  let reportAt = 0;
  return (err) => {
    const now = performance.now();
    if (now < reportAt) return;
    reportAt = now + REPORT_EVERY_MS;
    log.error(
      { err, folder: tmpdir() },
      'a form with files could not be kept in the folder for temporary files',
    );
  };
}

/** All values of a field, one value for each line. */
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
