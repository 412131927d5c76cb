import type { FieldError, Signup } from './api-types.generated.ts';
import { invalidRequest, ProblemError } from './problem-error.ts';

/**
 * The largest body that the API accepts. A larger body could break the connection, and this would look like a failure
 * of the server.
 */
const MAX_BODY_BYTES = 16_384;

/**
 * The body of `POST /score-signup`. The server checks the texts. The client refuses only values that it cannot send.
 * @throws {ProblemError} `invalid_request` or `payload_too_large`.
 */
export function renderSignup(signup: Signup): string {
  const { email, ipAddress, userAgent } = signup ?? {};
  const errors: FieldError[] = [];
  if (typeof email !== 'string') errors.push({ pointer: '/email', detail: 'must be a string' });
  if (typeof ipAddress !== 'string') {
    errors.push({ pointer: '/ip_address', detail: 'must be a string; in the client its name is ipAddress' });
  }
  if (userAgent !== undefined && userAgent !== null && typeof userAgent !== 'string') {
    errors.push({ pointer: '/user_agent', detail: 'must be a string; in the client its name is userAgent' });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  const body = JSON.stringify({ email, ip_address: ipAddress, user_agent: userAgent ?? undefined });
  if (new TextEncoder().encode(body).byteLength > MAX_BODY_BYTES) {
    const detail = `The signup has more than ${MAX_BODY_BYTES} bytes.`;
    throw new ProblemError({ code: 'payload_too_large', status: 413, detail, requestId: null }, null);
  }
  return body;
}

/**
 * Checks an idempotency key. Undefined stays undefined.
 * @throws {ProblemError} `invalid_request` for a text that cannot be a header field.
 */
export function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key))) return key;
  const detail = 'must have 1 to 255 characters of visible ASCII, no spaces';
  throw invalidRequest([{ pointer: '/idempotency_key', detail }]);
}
