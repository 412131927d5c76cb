import { setImmediate } from 'node:timers/promises';
import { BASE_UNITS, headOf } from '../read-request.ts';
import type { RouteMatch } from '../routes/match-routes.ts';
import type { GateSettings } from '../settings.ts';
import { parseContentType } from '../signup-body/content-type.ts';
import type { Signup } from '../signup-body/find-signup.ts';
import { readSignup, type SignupHead, unitsFor } from '../signup-body/read-signup.ts';
import { openSignupStream } from '../signup-body/signup-stream.ts';
import type { EmailReplacement } from './email-replacement.ts';
import { replaceInForm } from './replace-in-form.ts';
import { replaceInJson } from './replace-in-json.ts';
import { replaceInMultipart } from './replace-in-multipart.ts';

/** A complete request of a signup. */
export interface SignupMessage {
  readonly method: string;
  /** The request target as it arrived. */
  readonly target: string;
  /** The header fields as they arrived: name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface CorrectedMessage {
  readonly message: SignupMessage;
  readonly match: Extract<RouteMatch, { readonly kind: 'gated' }>;
  /** The emails, read from the corrected message. */
  readonly signup: Signup;
}

/** Hashes and signatures of the body, which the gate cannot make again. */
const DIGESTS = /^(?:content-encoding|content-md5|(?:content-|repr-)?digest|signature(?:-input)?)$/i;
/** A body with files is read in pieces, with a turn of the event loop between two pieces. */
const PIECE_BYTES = 65_536;

/**
 * The same request with another email: every field of the body and the query whose value is the typed email gets the
 * new one. All other bytes stay unchanged. The result is read again like any signup.
 *
 * @returns null when this is not possible: the email is at a place that cannot be replaced, another reader would still see
 *   the typed email, or the body has an encoding or a digest.
 * @throws {ProblemError} when the corrected request cannot be read.
 */
export async function correctSignup(
  { method, target, rawHeaders, body }: SignupMessage,
  replacement: EmailReplacement,
  { matcher }: Pick<GateSettings, 'matcher'>,
): Promise<CorrectedMessage | null> {
  if (rawHeaders.some((name, i) => i % 2 === 0 && DIGESTS.test(name))) return null;
  const { contentTypes } = headOf({ target, rawHeaders });
  const bytes = replaceInBody(body, contentTypes, replacement);
  if (bytes === null) return null;
  const message = { method, target: replaceInTarget(target, replacement), rawHeaders, body: bytes };
  const match = matcher.match(message);
  if (match.kind !== 'gated') return null;
  const signup = await readAgain(message, match);
  const isCorrected = signup?.email === replacement.corrected && signup.otherEmails.length === 0;
  return isCorrected ? { message, match, signup } : null;
}

function replaceInBody(
  body: Buffer,
  contentTypes: readonly string[],
  replacement: EmailReplacement,
): Buffer | null {
  const mediaType = parseContentType(contentTypes);
  if (mediaType.kind === 'multipart') return replaceInMultipart(body, mediaType.boundary, replacement);
  if (mediaType.kind === 'urlencoded') {
    const form = replaceInForm(body.toString('latin1'), replacement);
    return form === null ? null : Buffer.from(form, 'latin1');
  }
  const json = replaceInJson(body.toString(), replacement);
  return json === null ? null : Buffer.from(json);
}

function replaceInTarget(target: string, replacement: EmailReplacement): string {
  const question = target.indexOf('?');
  const query = question === -1 ? null : replaceInForm(target.slice(question + 1), replacement);
  return query === null ? target : `${target.slice(0, question + 1)}${query}`;
}

async function readAgain(
  { target, rawHeaders, body }: SignupMessage,
  { candidates, budget }: CorrectedMessage['match'],
): Promise<Signup | null> {
  const head: SignupHead = { ...headOf({ target, rawHeaders }), budget };
  if (candidates.every(({ route }) => body.length <= route.max_body)) {
    budget.grow(BASE_UNITS + unitsFor(body.length, candidates));
    return readSignup({ ...head, bytes: body }, candidates);
  }
  budget.grow(BASE_UNITS);
  const stream = openSignupStream(head, candidates);
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    stream.write(body.subarray(at, at + PIECE_BYTES));
    await setImmediate();
  }
  return stream.end();
}
