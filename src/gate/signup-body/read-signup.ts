import { parseJsonBody } from '../../http/json-body.ts';
import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { formFields, jsonFields } from './body-fields.ts';
import { isConditional, readQuery } from './conditions.ts';
import { mayHaveFields, parseContentType, type SignupMediaType, UTF8 } from './content-type.ts';
import { COPIES, copiedEmails } from './copied-emails.ts';
import { decodeContent } from './decode-content.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { FieldsLook, hasEmailInOtherNotation, isInOtherFormat } from './fields-look.ts';
import { findSignup, type ReadBody, type Signup } from './find-signup.ts';
import { FirstLook } from './first-look.ts';
import { mentionsIn } from './form-mentions.ts';
import { isCalledWithEmail } from './fulfils-body.ts';
import { isTextType, mayBeTextSignup } from './graphql/text-bodies.ts';
import { MultipartReader } from './multipart-reader.ts';
import { refuseReadableEncoding } from './readable-encoding.ts';
import { charsetInForm, parseUrlencoded } from './urlencoded-fields.ts';

/** The head of a request that matches a route, as far as its body needs it. */
export interface SignupHead {
  /** The request target as it arrived. */
  readonly target: string;
  /** The header fields as they arrived: name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  /** All values of each field, one for each line. */
  readonly contentTypes: readonly string[];
  readonly contentEncodings: readonly string[];
  /** Every reader of the request spends from it. */
  readonly budget: WorkBudget;
}

/** A request whose head matches a route, with its complete body. */
export interface BufferedRequest extends SignupHead {
  readonly bytes: Buffer;
}

/**
 * Finds the signup in a body, and its emails. Null: the request is not a signup, and is forwarded like any other. When
 * every candidate has conditions, a body that cannot fulfil them is forwarded too, even if it cannot be parsed.
 * @throws {ProblemError} 400, 413 or 415 when two parsers could read the body differently.
 */
export async function readSignup(
  request: BufferedRequest,
  candidates: readonly RouteCandidate[],
): Promise<Signup | null> {
  const { bytes, budget, contentTypes, contentEncodings, rawHeaders } = request;
  const head = { query: readQuery(request.target), rawHeaders, budget };
  const look = candidates.every(isConditional) ? new FirstLook(candidates, { ...head, contentTypes }) : null;
  look?.write(bytes);
  if (look && !look.mayBeSignup && contentEncodings.length === 0) return null;
  if (bytes.length === 0) {
    if (look) return look.mayBeSignup ? findSignup(noBody(budget), head, candidates) : null;
    throw new ProblemError('invalid_request', 'The body is empty.');
  }
  const limitBytes = Math.max(...candidates.map(({ route }) => route.max_body));
  const decoded =
    contentEncodings.length === 0 ? bytes : await decodeContent(bytes, contentEncodings, limitBytes);
  if (decoded !== bytes) look?.write(decoded);
  if (look && !look.mayBeSignup) return null;
  const isEncoded = decoded !== bytes;
  const isReadable = (content: Buffer) => couldBeRead(request, content, candidates);
  if (!isReadable(decoded) && !(isEncoded && isReadable(bytes))) return null;
  const mediaType = parseContentType(contentTypes);
  const body = readBody(decoded, mediaType, { limitBytes, budget, candidates });
  const signup = findSignup(body, head, candidates);
  const holdsOther = !signup && needsFields(candidates) ? hasEmailInOtherNotation : isInOtherFormat;
  if (mediaType.kind === 'urlencoded' && holdsOther(candidates, decoded, budget))
    throw new ProblemError('unsupported_media_type', 'The body can be read as another format than a form.');
  if (isEncoded)
    refuseReadableEncoding(bytes, mediaType, { head: { ...head, contentTypes }, candidates, signup });
  return signup;
}

/** Whether some reader could parse the body as a signup, although its type says otherwise. */
function couldBeRead(
  { contentTypes, target, rawHeaders, budget }: SignupHead,
  bytes: Buffer,
  candidates: readonly RouteCandidate[],
): boolean {
  if (mayHaveFields(contentTypes)) return true;
  const head = { query: readQuery(target), rawHeaders, budget };
  if (needsFields(candidates)) {
    if (candidates.some((candidate) => isCalledWithEmail(candidate, head))) return true;
    const look = new FieldsLook(candidates, budget);
    look.write(bytes);
    return look.mayHaveEmail;
  }
  if (!isTextType(contentTypes) || !candidates.every(({ route }) => 'operationName' in route.when))
    return true;
  return mayBeTextSignup(bytes, head, candidates);
}

/** Whether a body of another type is a signup only when it looks like fields. GraphQL has documents, too. */
export function needsFields(candidates: readonly RouteCandidate[]): boolean {
  return candidates.every(
    ({ bodyCondition, route }) => bodyCondition !== 'none' && !('operationName' in route.when),
  );
}

interface ReadOptions {
  readonly limitBytes: number;
  readonly budget: WorkBudget;
  readonly candidates: readonly RouteCandidate[];
}

function readBody(bytes: Buffer, mediaType: SignupMediaType, options: ReadOptions): ReadBody {
  const { limitBytes, budget, candidates } = options;
  const mentions = (paths: readonly FieldPath[]) =>
    bytes.includes('=') ? mentionsIn(bytes, paths, budget) : [];
  if (mediaType.kind === 'json') {
    const json = parseJsonBody(bytes, budget);
    // An escape may hide the name.
    const mayHoldCopies = bytes.includes(COPIES) || bytes.includes('\\u');
    const copies = (paths: readonly FieldPath[]) => (mayHoldCopies ? copiedEmails(json, paths, budget) : []);
    return { fields: jsonFields(json, budget), json, mentions, copies };
  }
  const hasOtherCharset = mediaType.charset !== UTF8;
  if (mediaType.kind === 'urlencoded') {
    const charset = hasOtherCharset ? mediaType.charset : charsetInForm(bytes, budget);
    const all = parseUrlencoded(bytes, charset, budget);
    const fields = formFields(all, budget);
    return { fields, form: { fields, all }, hasOtherCharset, mentions: () => [] };
  }
  const reader = new MultipartReader({ ...mediaType, places: placesOf(candidates), limitBytes, budget });
  reader.write(bytes);
  const all = reader.end();
  const fields = formFields(all, budget);
  return { fields, form: { fields, all }, hasOtherCharset, mentions };
}

/** The places of the email of all candidates, each once. */
export function placesOf(candidates: readonly RouteCandidate[]): readonly FieldPath[] {
  return [...new Set(candidates.flatMap(({ route }) => route.email))].map(parseFieldPath);
}

function noBody(budget: WorkBudget): ReadBody {
  return { fields: jsonFields({}, budget), mentions: () => [] };
}

/** The work in units of the budget, each about a nanosecond: 20 ms for a megabyte with one place for the email. */
const UNITS_PER_BYTE = 14;
const UNITS_PER_BYTE_AND_PLACE = 4;

/** The work allowed for this number of bytes: linear. */
export function unitsFor(bytes: number, candidates: readonly RouteCandidate[]): number {
  const places = candidates.reduce((most, { route }) => Math.max(most, route.email.length), 0);
  return bytes * (UNITS_PER_BYTE + places * UNITS_PER_BYTE_AND_PLACE);
}

/** The most work saved up while a body arrives in pieces: as much as for a body of one megabyte. */
export const MOST_UNITS_AT_ONCE = 24_000_000;
