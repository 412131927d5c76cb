import { hash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
import { ProblemError } from '../../http/problem.ts';
import { CHECK_PATH } from '../routes/match-routes.ts';
import { type Peer, upstreamTarget } from '../transport/upstream-request.ts';

/** What the proxy needs besides the decision. */
export interface Check {
  /** The named location of nginx that continues an allowed request; null for other proxies. */
  readonly accelRedirect: string | null;
  /** The proxy sent only the beginning of the body. */
  readonly isPartial: boolean;
}

/** When there are several fields of one kind, they must have the same value. */
const METHOD_FIELDS = ['x-forwarded-method', 'x-original-method'];
const TARGET_FIELDS = ['x-forwarded-uri', 'x-original-uri'];
const HOST_FIELD = 'x-forwarded-host';
const ACCEL_FIELD = 'x-gatekeeper-accel-redirect';
const PARTIAL_FIELD = 'x-envoy-auth-partial-body';
/** Fields of the check, not of the original request. */
const OWN_FIELDS = [ACCEL_FIELD, PARTIAL_FIELD];
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/**
 * Restores the original request from the check of a proxy: method, target and header fields. The body stays unchanged.
 * nginx and Envoy write the original target after the token, and keep method and host; Traefik names all three in
 * header fields. Other fields that may name a target stay in the request: an app may read its target there, so the
 * matcher does too.
 * @param token `proxy.forward_auth`; null when no proxy may ask.
 * @throws {ProblemError} when the sender may not ask, or when the check does not name the original request.
 */
export function readCheck(request: IncomingMessage, peer: Peer, token: string | null): Check {
  const [, sent = '', rest = ''] =
    /^\/([^/?]*)(.*)$/s.exec((request.url ?? '').slice(CHECK_PATH.length)) ?? [];
  refuseStrangers(peer, sent, token);
  const { rawHeaders } = request;
  const check = {
    accelRedirect: namedLocation(valuesOf(rawHeaders, [ACCEL_FIELD])),
    isPartial: valuesOf(rawHeaders, [PARTIAL_FIELD]).some((value) => value !== 'false'),
  };
  const original = rest.startsWith('/')
    ? { method: request.method ?? '', target: rest, rawHeaders: withoutFields(rawHeaders, OWN_FIELDS) }
    : readNamed(rawHeaders);
  if (!KNOWN_METHODS.has(original.method)) {
    throw new ProblemError('invalid_request', 'The original method is not a method of HTTP in upper case.');
  }
  if (!/^[^\0-\x20\x7f]+$/.test(original.target) || !upstreamTarget(original.target)) {
    throw new ProblemError('invalid_request', 'The original target is neither a path nor an HTTP URL.');
  }
  request.method = original.method;
  request.url = original.target;
  request.rawHeaders = original.rawHeaders;
  return check;
}

/** A client must not find out scores here, so a check needs the address of a proxy and the token. */
function refuseStrangers({ trusted }: Peer, sent: string, token: string | null): void {
  if (token === null) {
    throw new ProblemError('not_found', 'Checks are off. Set proxy.forward_auth to let a proxy ask.');
  }
  if (!trusted) {
    throw new ProblemError(
      'not_found',
      'Only proxies may ask here. Name the network of this proxy under proxy.trusted_proxies.',
    );
  }
  if (!timingSafeEqual(digest(sent), digest(token))) {
    throw new ProblemError(
      'not_found',
      'The path must be /.gatekeeper/check/ and the text of proxy.forward_auth.',
    );
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The original request, as header fields name it. */
function readNamed(rawHeaders: readonly string[]) {
  const method = only(rawHeaders, METHOD_FIELDS);
  const target = only(rawHeaders, TARGET_FIELDS);
  const [host] = valuesOf(rawHeaders, [HOST_FIELD]);
  const fields = withoutFields(rawHeaders, [...OWN_FIELDS, ...METHOD_FIELDS, ...TARGET_FIELDS]);
  if (host === undefined) return { method, target, rawHeaders: fields };
  return { method, target, rawHeaders: ['Host', host, ...withoutFields(fields, ['host'])] };
}

function withoutFields(rawHeaders: readonly string[], lowerCaseNames: readonly string[]): string[] {
  const fields: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!lowerCaseNames.includes(name.toLowerCase())) fields.push(name, rawHeaders[i + 1] ?? '');
  }
  return fields;
}

function only(rawHeaders: readonly string[], names: readonly string[]): string {
  const values = new Set(valuesOf(rawHeaders, names));
  const [value] = values;
  const choice = names.join(' or ');
  if (value === undefined) {
    throw new ProblemError(
      'invalid_request',
      `The check does not name the original request: ${choice} is missing.`,
    );
  }
  if (values.size > 1) {
    throw new ProblemError('invalid_request', `The check names several original requests in ${choice}.`);
  }
  return value;
}

function namedLocation([value]: readonly string[]): string | null {
  return value !== undefined && /^@[\w-]{1,64}$/.test(value) ? value : null;
}

function valuesOf(rawHeaders: readonly string[], lowerCaseNames: readonly string[]): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (lowerCaseNames.includes((rawHeaders[i] ?? '').toLowerCase())) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}
