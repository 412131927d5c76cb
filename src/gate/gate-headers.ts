import { createPrivateKey, hash, type KeyObject, sign as signWithPrivateKey } from 'node:crypto';
import type { RiskLevel } from '../assessment/policy.ts';
import type { Action, AssertionKeyConfig } from '../config/config.ts';

/** The request as the app receives it. */
export interface AssertedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The target as forwarded. */
  readonly path: string;
  /** The email as sent, trimmed; null when the email is missing. */
  readonly email: string | null;
  /** The body as forwarded, or its hash (hex) when the body is not in memory. */
  readonly body: Buffer | { readonly sha256: string };
  /** Whether the sender has verified the mailbox. */
  readonly verified: boolean;
  /** Whether the staff of the site has accepted the signup. Left out: no. */
  readonly reviewed?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The data about the decision in the headers for the app. */
export type Verdict = {
  readonly mode: 'enforce' | 'monitor';
  /** Null when there was nothing to score. */
  readonly score: { readonly trust: number; readonly riskLevel: RiskLevel } | null;
  readonly wantedAction: Action;
  readonly action: Action;
};

/**
 * Apps check the assertion at once. The time is long enough for clocks that differ, and too short for a stolen
 * assertion to be useful.
 */
const ASSERTION_LIFETIME_S = 60;

/**
 * The headers that tell the app about a signup: name, value, name, value, … Score and level are missing when there was
 * nothing to score. `-Monitor` is the action that enforce mode would take. `-Degraded` says that a factor was not
 * evaluated or the decision not recorded.
 */
export function gateHeaders(
  request: AssertedRequest,
  verdict: Verdict,
  { signer, degraded }: { readonly signer: Signer; readonly degraded: boolean },
): string[] {
  const { mode, score, wantedAction, action } = verdict;
  const headers = ['X-Gatekeeper-Request-Id', request.requestId];
  if (score) {
    headers.push('X-Gatekeeper-Score', String(score.trust), 'X-Gatekeeper-Risk-Level', score.riskLevel);
  }
  headers.push('X-Gatekeeper-Action', action);
  if (mode === 'monitor') headers.push('X-Gatekeeper-Monitor', wantedAction);
  if (degraded) headers.push('X-Gatekeeper-Degraded', 'true');
  headers.push('X-Gatekeeper-Assertion', signer.sign(assertionClaims(request, verdict)));
  return headers;
}

/** Null without a decision or without an email. */
function assertionClaims(request: AssertedRequest, { mode, score, action }: Verdict) {
  const issuedAt = Math.floor(request.now / 1_000);
  return {
    iss: 'gatekeeper',
    jti: request.requestId,
    iat: issuedAt,
    exp: issuedAt + ASSERTION_LIFETIME_S,
    score: score?.trust ?? null,
    risk_level: score?.riskLevel ?? null,
    action,
    mode,
    verified: request.verified,
    ...(request.reviewed === true && { reviewed: true }),
    method: request.method,
    path: request.path,
    email_sha256: request.email === null ? null : hash('sha256', request.email),
    body_sha256: Buffer.isBuffer(request.body) ? hash('sha256', request.body) : request.body.sha256,
  };
}

/** Signs the gate's statement about a request, as a JWT (RFC 7519). */
export interface Signer {
  /** The `kid` of the JWTs that this key signs. */
  readonly keyId: string;
  /** @param claims must survive JSON: no dates, no undefined values. */
  sign(claims: Readonly<Record<string, unknown>>): string;
}

/** The `kid` of the key that is generated when the configuration names none. */
export const GENERATED_KEY_ID = 'generated';

/**
 * The first key signs; apps verify with all keys. An operator puts a new key first when every app knows it, and removes
 * the old key when all its signatures have expired.
 *
 * node:crypto signs in 3 µs; jose, which the tests use to verify, takes 70 µs through WebCrypto.
 * @param generatedSecret signs when the configuration names no key.
 * @throws Error that names the key when it is not an Ed25519 private key in PEM.
 */
export function createSigner(keys: readonly AssertionKeyConfig[], generatedSecret: string): Signer {
  const { id, secret, private_key: pem } = keys[0] ?? { id: GENERATED_KEY_ID, secret: generatedSecret };
  if (pem !== undefined) {
    const key = readEd25519Key(id, pem);
    return jwtSigner(id, 'EdDSA', (text) =>
      signWithPrivateKey(null, Buffer.from(text), key).toString('base64url'),
    );
  }
  return jwtSigner(id, 'HS256', createHmacSha256(Buffer.from(secret ?? generatedSecret, 'utf8')));
}

/**
 * Compact serialization (RFC 7515 section 7.1).
 * @param signature signs an ASCII text and returns base64url.
 */
function jwtSigner(keyId: string, algorithm: 'HS256' | 'EdDSA', signature: (text: string) => string): Signer {
  const base64url = createBase64url();
  const header = base64url(JSON.stringify({ alg: algorithm, kid: keyId, typ: 'JWT' }));
  return {
    keyId,
    sign(claims) {
      const text = `${header}.${base64url(JSON.stringify(claims))}`;
      return `${text}.${signature(text)}`;
    },
  };
}

/** Enough for an assertion with an ordinary path. A longer text gets a separate buffer, which costs twice as much. */
const SCRATCH_BYTES = 4_096;
const MAX_BYTES_PER_UNIT = 3;

/** Encodes a text as UTF-8. */
function createBase64url(): (text: string) => string {
  const scratch = Buffer.alloc(SCRATCH_BYTES);
  return (text) => {
    if (text.length * MAX_BYTES_PER_UNIT > SCRATCH_BYTES) return Buffer.from(text).toString('base64url');
    return scratch.toString('base64url', 0, scratch.write(text));
  };
}

function readEd25519Key(id: string, pem: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw new Error(`assertion.keys: the private_key of "${id}" cannot be read as PEM.`, { cause: error });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(
    `assertion.keys: the private_key of "${id}" is not an Ed25519 key; make one with openssl genpkey -algorithm ed25519.`,
  );
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * HMAC with SHA-256 (RFC 2104) from two one-shot hashes: 0.9 µs a signature. Node's `createHmac` creates a stream for each
 * text and takes 1.6 µs, 2 % of what a gated signup may cost.
 *
 * @returns the code of an ASCII text, in base64url.
 */
export function createHmacSha256(secret: Buffer): (text: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES);
  (secret.length > BLOCK_BYTES ? Buffer.from(hash('sha256', secret, 'hex'), 'hex') : secret).copy(key);
  const innerKey = key.map((byte) => byte ^ 0x36);
  const scratch = Buffer.alloc(SCRATCH_BYTES);
  scratch.set(innerKey);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(key.map((byte) => byte ^ 0x5c));

  function inner(text: string): Buffer {
    const bytes = BLOCK_BYTES + text.length;
    if (bytes > SCRATCH_BYTES) return Buffer.concat([innerKey, Buffer.from(text, 'latin1')]);
    scratch.write(text, BLOCK_BYTES, 'latin1');
    return scratch.subarray(0, bytes);
  }

  return (text) => {
    // `binary` has the 32 bytes unchanged in a text, one character for each byte.
    outer.write(hash('sha256', inner(text), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}
