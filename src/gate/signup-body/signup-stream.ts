import { tooLarge } from '../../http/read-body.ts';
import type { RouteCandidate } from '../routes/route-table.ts';

import { formFields } from './body-fields.ts';
import { readQuery } from './conditions.ts';
import { parseContentType, UTF8 } from './content-type.ts';
import { findSignup, type Signup } from './find-signup.ts';
import { FormMentions } from './form-mentions.ts';
import { MultipartReader } from './multipart-reader.ts';
import { MOST_UNITS_AT_ONCE, placesOf, type SignupHead, unitsFor } from './read-signup.ts';

/** Reads a signup with files while it is streamed, and keeps no byte of the files. */
export interface SignupStream {
  /** @throws {ProblemError} when two parsers could read the form differently, or the fields are too large. */
  write(piece: Buffer): void;
  /** Null when the request is not a signup. */
  end(): Signup | null;
}

/**
 * @throws {ProblemError} `payload_too_large` for a body that cannot be read while streamed: any body but a plain
 *   multipart form.
 */
export function openSignupStream(head: SignupHead, candidates: readonly RouteCandidate[]): SignupStream {
  const { budget, rawHeaders } = head;
  const limitBytes = Math.max(...candidates.map(({ route }) => route.max_body));
  const mediaType = parseContentType(head.contentTypes);
  if (mediaType.kind !== 'multipart' || head.contentEncodings.length > 0) throw tooLarge(limitBytes);
  const hasOtherCharset = mediaType.charset !== UTF8;
  const places = placesOf(candidates);
  const reader = new MultipartReader({ ...mediaType, places, limitBytes, budget });
  const mentions = new FormMentions(places, budget);
  return {
    write(piece) {
      budget.grow(unitsFor(piece.length, candidates), MOST_UNITS_AT_ONCE);
      reader.write(piece);
      mentions.write(piece);
    },
    end() {
      const all = reader.end();
      const fields = formFields(all, budget);
      const found = mentions.end();
      return findSignup(
        { fields, form: { fields, all }, hasOtherCharset, mentions: () => found },
        { query: readQuery(head.target), rawHeaders, budget },
        candidates,
      );
    },
  };
}
