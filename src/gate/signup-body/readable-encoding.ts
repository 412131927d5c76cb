import { ProblemError } from '../../http/problem.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { isConditional } from './conditions.ts';
import type { SignupMediaType } from './content-type.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import type { Signup } from './find-signup.ts';
import { FirstLook, type LookedAtHead } from './first-look.ts';
import { mentionsIn } from './form-mentions.ts';

/** An object, or a list of objects. A brotli stream of more than 64 KB begins with a single `[`. */
const LIKE_JSON = /^[ \t\r\n]*(?:\{|\[[ \t\r\n]*\{[ \t\r\n]*["}])/;
/** The fields of a GraphQL form. */
const GRAPHQL_FIELDS: readonly FieldPath[] = [['query'], ['variables'], ['operations']];

interface EncodedBody {
  readonly head: LookedAtHead;
  readonly candidates: readonly RouteCandidate[];
  /** The signup in the decoded body; null when the decoded body is no signup. */
  readonly signup: Signup | null;
}

/**
 * Refuses an encoded body that is also readable as a signup without decoding. Apps without content encodings read the
 * bytes as they arrive: a comment in the head of a gzip stream can hold a complete form, and the decoded body an
 * ordinary one.
 * @throws {ProblemError} `invalid_request`.
 */
export function refuseReadableEncoding(
  bytes: Buffer,
  mediaType: SignupMediaType,
  { head, candidates, signup }: EncodedBody,
): void {
  const readers = candidates.filter((one) => one === signup?.candidate || mayFulfil(one, head, bytes));
  if (readers.length === 0) return;
  const isReadable =
    LIKE_JSON.test(bytes.toString('latin1', 0, 100)) ||
    (mediaType.kind === 'multipart' && bytes.includes(`--${mediaType.boundary}`)) ||
    mentionsIn(bytes, readers.flatMap(fieldsOf), head.budget).length > 0;
  if (isReadable)
    throw new ProblemError('invalid_request', 'The encoded body can be read without decoding it.');
}

function mayFulfil(candidate: RouteCandidate, head: LookedAtHead, bytes: Buffer): boolean {
  if (!isConditional(candidate)) return true;
  const look = new FirstLook([candidate], head);
  look.write(bytes);
  return look.mayBeSignup;
}

function fieldsOf({ route }: RouteCandidate): readonly FieldPath[] {
  const paths = route.email.map(parseFieldPath);
  return 'operationName' in route.when ? [...paths, ...GRAPHQL_FIELDS] : paths;
}
