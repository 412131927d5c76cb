import type { UploadBody } from './upload.ts';

/** Every known server reads the body of these methods by its length. */
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Whether a server may leave the body of a request unread. It would take the body for the next request on the connection,
 * which nothing has checked: cohttp (OCaml) after a GET, Nim's asynchttpserver after chunks by any method but POST. Such
 * a request must be the last one on its connection.
 * @param headers As sent to the upstream: name, value, name, value, …
 */
export function mayStayUnread(method: string, body: UploadBody, headers: readonly string[]): boolean {
  if (body === null) return false;
  return !METHODS_WITH_BODY.has(method) || !(Buffer.isBuffer(body) || hasLength(headers));
}

function hasLength(headers: readonly string[]): boolean {
  return headers.some((name, i) => i % 2 === 0 && name.length === 14 && /^content-length$/i.test(name));
}
