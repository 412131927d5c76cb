import type { ProblemCode } from '../../src/http/problem.ts';

export interface Guidance {
  /** When the code is sent. */
  readonly when: string;
  /** The remedy for the sender, and the setting that an operator can change. */
  readonly remedy: string;
}

/** What `docs/errors.md` says beside status and title. A new code does not compile until it has its guidance here. */
export const GUIDANCE: Readonly<Record<ProblemCode, Guidance>> = {
  bad_request: {
    when: 'The request line, `Host`, `Transfer-Encoding` or the target breaks HTTP/1.1, or two servers could read it differently.',
    remedy: 'Correct the client or the proxy in front. The `detail` says what is wrong.',
  },
  malformed_json: {
    when: 'The body has the type `application/json` and does not parse as JSON in UTF-8.',
    remedy: 'Build the body with a JSON library and send it in UTF-8.',
  },
  invalid_request: {
    when: 'The request parses, but a field is missing, unknown, duplicated or has a wrong value. At the gate: two parsers could read the body differently, so the email of the signup is not certain.',
    remedy:
      '`errors` lists every bad field with its JSON pointer; correct all of them. Do not send the same request again.',
  },
  missing_api_key: {
    when: 'A route of the API that needs a key received no `X-API-Key` header.',
    remedy:
      'Send the key in `X-API-Key`. `gatekeeper keys create --name NAME` makes one, and so does the dashboard.',
  },
  invalid_api_key: {
    when: '`X-API-Key` appears more than once, or its key is unknown, revoked or expired. The last three have the same answer.',
    remedy: 'Check the key in the dashboard, or create another one.',
  },
  signup_refused: {
    when: 'The gate judged the signup and the action of its route is `block`. The answer never gives the reason.',
    remedy:
      'Sender: quote the `request_id` or the reference to the operator. Operator: look either up in the dashboard; an allow list entry or `on_high` of the route changes the action.',
  },
  verification_required: {
    when: 'The action of the route is `verify`. The signup is held, or the sender is sent to a page of the application.',
    remedy:
      'Open `verification_url` in a browser before `expires_at`. With `verify: {by: email}` a client may also POST `{"code": "123456"}` to it.',
  },
  wrong_code: {
    when: 'The code is not the one in the latest mail, or it is older than ten minutes.',
    remedy:
      'Use the code of the latest mail. `tries_left` says how many tries remain; `verification.code_tries` sets the number.',
  },
  verification_locked: {
    when: 'A held signup received as many wrong codes as `verification.code_tries` allows.',
    remedy: 'Sign up again. Neither the right code nor the link opens a locked signup.',
  },
  cross_site_request: {
    when: 'A POST to a verification page came from another site, by its `Origin` or `Sec-Fetch-Site`.',
    remedy:
      'Submit the form of the page itself. Where the page has another host name, set `proxy.public_url`.',
  },
  not_found: {
    when: 'No route has this path, or the account has no decision of this id.',
    remedy: 'Compare the path with `GET /openapi.json`. Decisions of another account are not found either.',
  },
  method_not_allowed: {
    when: 'The path exists, but not for this method.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  request_timeout: {
    when: 'The head did not arrive within `server.head_timeout`, or the body not within `server.body_timeout` and slower than `server.min_body_rate`.',
    remedy: 'Send the request again. Raise the limits for clients with slow connections.',
  },
  verification_closed: {
    when: 'The verification page is unknown, expired, used or reported. All of them have the same answer.',
    remedy: 'Check that the URL is complete. If it is, sign up again.',
  },
  payload_too_large: {
    when: 'The body is larger than the limit, before or after decoding, has too many fields, or is too large to be held for verification.',
    remedy:
      'Send less. At the gate `proxy.routes[].max_body` and `max_upload` are the limits; the API takes 16 KB.',
  },
  unsupported_media_type: {
    when: 'The content type, its charset or the content encoding is not accepted here, or the body is of another type than it says.',
    remedy:
      'API: send `application/json` in UTF-8, not compressed. Gate: send the body as JSON, a form or a multipart form; gzip, deflate and br are decoded.',
  },
  expectation_failed: {
    when: 'The `Expect` header is something other than `100-continue`.',
    remedy: 'Leave the header out.',
  },
  idempotency_key_reused: {
    when: 'An `Idempotency-Key` was sent again with a different body.',
    remedy: 'Use a new key for each signup. Use the same key only to repeat the same bytes.',
  },
  rate_limited: {
    when: 'The account made as many requests in a minute as its plan allows, or its test keys as `api.test_requests_per_minute` allows.',
    remedy:
      'Wait for `Retry-After` seconds. `api.plans.<name>.requests_per_minute` sets the limit of a plan.',
  },
  quota_exceeded: {
    when: 'The account has used the quota of its plan for this calendar month (UTC). Only answers with status 200 count.',
    remedy: 'Wait for `Retry-After` seconds, until the month ends, or ask the operator for a larger plan.',
  },
  too_many_mails: {
    when: 'One signup, mailbox, address or site reached its limit of verification mails.',
    remedy:
      'Wait for `Retry-After` seconds; without that header, this signup gets no more mails. `verification.mails_per_signup` and `verification.mails_per_hour` set the limits.',
  },
  header_too_large: {
    when: 'The head is larger than `server.max_head` or has more lines than `server.max_header_lines`.',
    remedy: 'Send fewer or shorter headers; large cookies are the usual cause.',
  },
  internal_error: {
    when: 'Gatekeeper has a bug, or its machine failed. The cause is in the log under the request id.',
    remedy: 'Quote the `request_id` when you report it. The request may be sent again.',
  },
  bad_gateway: {
    when: 'The application behind the gate did not accept a connection within `proxy.timeouts.connect`, or closed it before it answered.',
    remedy:
      'Check that `proxy.upstream` is right and that the application runs. After a POST, check whether it took effect before you repeat it.',
  },
  overloaded: {
    when: 'The event loop lags more than `server.max_lag`, the requests of this sender wait longer than that, a queue or a memory limit is full, the records do not answer, or the process still starts.',
    remedy:
      'Send the request again after `Retry-After` seconds. If it persists, see [metrics](metrics.md) for what is full.',
  },
  shutting_down: {
    when: 'The process received a stop signal and finishes the requests in flight.',
    remedy: 'Send the request again after `Retry-After` seconds; another process answers it.',
  },
  gateway_timeout: {
    when: 'The application sent nothing for as long as `proxy.timeouts.response` allows.',
    remedy:
      'Find out why the application is slow, or raise the limit. After a POST, check whether it took effect before you repeat it.',
  },
};
