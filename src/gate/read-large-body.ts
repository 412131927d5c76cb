import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ProblemError } from '../http/problem.ts';
import { type Pace, tooLarge } from '../http/read-body.ts';
import { createWorkBudget } from './budgets.ts';
import type { SpooledBody, StreamedBody } from './forward-body.ts';
import { readRest } from './read-rest.ts';
import type { RouteCandidate } from './routes/route-table.ts';
import { isConditional, readQuery } from './signup-body/conditions.ts';
import { mayHaveFields } from './signup-body/content-type.ts';
import { FieldsLook } from './signup-body/fields-look.ts';
import type { Signup } from './signup-body/find-signup.ts';
import { FirstLook } from './signup-body/first-look.ts';
import { isCalledWithEmail } from './signup-body/fulfils-body.ts';
import { MOST_UNITS_AT_ONCE, needsFields, type SignupHead, unitsFor } from './signup-body/read-signup.ts';
import { openSignupStream } from './signup-body/signup-stream.ts';
import { Spool, type SpoolDependencies } from './spool.ts';

export interface LargeRequest {
  readonly request: IncomingMessage;
  readonly head: SignupHead;
  readonly candidates: readonly RouteCandidate[];
  /** The bytes read so far: more than a body may have in memory. */
  readonly start: Buffer;
  readonly pace: Pace;
  readonly spoolDependencies: SpoolDependencies;
}

export type LargeBodyResult = (
  | { readonly body: SpooledBody; readonly signup: Signup | null }
  | { readonly body: StreamedBody; readonly signup: null }
  | { readonly body: StreamedBody; readonly unreadable: ProblemError }
) & {
  /** Closes the file that holds the body. */
  readonly close: () => void;
};

/** The work budget for the head of a request with a streamed body. */
const HEAD_UNITS = 4_000_000;
/** Two looks at each byte. */
const LOOKS = 2;
const NOTHING = () => {};
const NO_BYTES = Buffer.alloc(0);

/**
 * Reads a body that is too large for memory. A multipart form of up to `max_upload` is completely written to a file and
 * read at the same time, so its files are never in memory. A body that cannot be the signup is streamed to the
 * upstream. When the gate then finds that it may be the signup, it aborts the stream before its end.
 * @throws {ProblemError} `payload_too_large` for any other body, `overloaded` when there is no room for a file, and the
 * problems of reading a signup. When all routes are in monitor mode, the problem is returned.
 */
export async function readLargeBody(large: LargeRequest): Promise<LargeBodyResult> {
  const { request, candidates, start, pace } = large;
  const maxUpload = maxUploadOf(candidates);
  const look = candidates.every(isConditional) ? lookAt(large) : null;
  const kept: Kept = { spool: null, unkept: start };
  const close = () => void kept.spool?.close().catch(NOTHING);
  try {
    look?.(start);
    const stream = openSignupStream(large.head, candidates);
    if (!mayBeForm(large.head)) throw tooLarge(maxUpload);
    const spool = await Spool.open(large.spoolDependencies);
    kept.spool = spool;
    const take = async (piece: Buffer) => {
      await keep(kept, piece);
      if (spool.size > maxUpload) throw tooLarge(maxUpload);
      stream.write(piece);
    };
    await take(start);
    for await (const piece of readRest(request, pace)) {
      look?.(piece);
      await take(piece);
    }
    return { signup: stream.end(), body: spool.finish(), close };
  } catch (error) {
    if (error instanceof ProblemError && error.code !== 'request_timeout') {
      if (candidates.every(({ route }) => route.mode === 'monitor'))
        return { body: restOf(large, kept, NOTHING), unreadable: error, close };
      if (look && !look()) return { body: restOf(large, kept, guard(look, error)), signup: null, close };
    }
    close();
    throw error;
  }
}

/** The part of the body read so far: the bytes in the file, and a piece that is not in the file yet. */
interface Kept {
  spool: Spool | null;
  unkept: Buffer;
}

async function keep(kept: Kept, piece: Buffer): Promise<void> {
  kept.unkept = piece;
  await kept.spool?.write(piece);
  kept.unkept = NO_BYTES;
}

/** Reads the body piece by piece, and returns whether it may be the signup. */
type Look = (piece?: Buffer) => boolean;

function lookAt({ head, candidates }: LargeRequest): Look {
  const { target, rawHeaders, contentTypes, contentEncodings } = head;
  if (contentEncodings.length > 0) return () => true;
  // The budget grows with the body, because a streamed body has no size limit.
  const budget = createWorkBudget(HEAD_UNITS);
  const sources = { query: readQuery(target), rawHeaders, budget };
  const look = new FirstLook(candidates, { ...sources, contentTypes });
  const isFile = !mayHaveFields(contentTypes) && needsFields(candidates);
  const fields =
    isFile && !candidates.some((candidate) => isCalledWithEmail(candidate, sources))
      ? new FieldsLook(candidates, budget)
      : null;
  return (piece) => {
    if (piece) {
      budget.grow(LOOKS * unitsFor(piece.length, candidates), MOST_UNITS_AT_ONCE);
      look.write(piece);
      fields?.write(piece);
    }
    return look.mayBeSignup && (fields === null || fields.mayHaveEmail);
  };
}

function guard(look: Look, refusal: ProblemError): (piece: Buffer) => void {
  return (piece) => {
    if (look(piece)) throw refusal;
  };
}

/** The complete body: the bytes read so far, then the rest. */
function restOf(
  { request, pace }: LargeRequest,
  { spool, unkept }: Kept,
  admit: (piece: Buffer) => void,
): StreamedBody {
  async function* pieces() {
    if (spool) yield* spool.pieces();
    if (unkept.length > 0) yield unkept;
    for await (const piece of readRest(request, pace)) {
      admit(piece);
      yield piece;
    }
  }
  const declared = request.headers['content-length'];
  return {
    lengthBytes: declared === undefined ? null : Number(declared),
    open: () => Readable.from(pieces(), { objectMode: false }),
  };
}

/** Whether a body larger than `max_body` is allowed: a form with files, or a request that is not a signup. */
export function mayBeLarge(head: SignupHead, candidates: readonly RouteCandidate[]): boolean {
  return mayBeForm(head) || candidates.every(isConditional);
}

function mayBeForm({ contentTypes, contentEncodings }: SignupHead): boolean {
  return contentEncodings.length === 0 && contentTypes.some((type) => /^multipart\/form-data/i.test(type));
}

function maxUploadOf(candidates: readonly RouteCandidate[]): number {
  return candidates.reduce((limit, { route }) => Math.max(limit, route.max_upload, route.max_body), 0);
}
