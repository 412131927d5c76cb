import { type Mailbox, parseMailbox } from '../addresses/email-address.ts';
import { type IpAddress, parseIpAddress } from '../addresses/ip-address.ts';
import { parseJsonBody } from '../http/json-body.ts';
import type { FieldError } from '../http/problem.ts';
import { findMisnamedField } from './near-names.ts';
import { ScoreSignupRequest } from './schemas.ts';
import { createValidator, invalidFields } from './validation.ts';

/** The parsed fields of a request. */
export interface SignupFields {
  readonly mailbox: Mailbox;
  readonly ip: IpAddress;
  readonly userAgent: string | null;
}

const validate = createValidator<ScoreSignupRequest>(ScoreSignupRequest);

/**
 * Reads the body of `POST /score-signup`.
 * @throws {ProblemError} `malformed_json`, or `invalid_request` that names every invalid field.
 */
export function readSignupFields(bytes: Buffer): SignupFields {
  const body = parseJsonBody(bytes);
  const { value, errors } = validate(body);
  const mailbox = readField(body, 'email', parseMailbox);
  const ip = readField(body, 'ip_address', parseIpAddress);
  if (value && mailbox && ip) {
    return { mailbox, ip, userAgent: value.user_agent?.trim() || null };
  }
  const all: FieldError[] = (errors ?? []).map((error) => withMeant(error, body));
  if (mailbox === null)
    all.push({ pointer: '/email', detail: 'must be one mailbox such as name@example.org' });
  if (ip === null) all.push({ pointer: '/ip_address', detail: 'must be an IPv4 or IPv6 address' });
  throw invalidFields(all);
}

/** The body may have the missing field under another name. */
function withMeant({ pointer, detail }: FieldError, body: unknown): FieldError {
  const sent =
    detail === 'is required'
      ? findMisnamedField(pointer.slice(1), body, Object.keys(ScoreSignupRequest.properties))
      : null;
  return {
    pointer,
    detail: sent === null ? detail : `${detail}; did you mean "${pointer.slice(1)}" instead of "${sent}"?`,
  };
}

/** Undefined when the value is not a string: the schema has reported that already. */
function readField<T>(body: unknown, name: string, read: (text: string) => T | null): T | null | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  const text = (body as Record<string, unknown>)[name];
  return typeof text === 'string' ? read(text) : undefined;
}
