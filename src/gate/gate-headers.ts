import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  hash,
  type KeyObject,
  sign as signWithPrivateKey,
} from 'node:crypto';
import type { RiskLevel } from '../assessment/policy.ts';
import type { Action, AssertionKeyConfig } from '../config/config.ts';

/** The request as the app gets it. */
export interface AssertedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The target as forwarded. */
  readonly path: string;
  /** As sent, without white space around it; null when there is none. */
  readonly email: string | null;
  /** As forwarded; the hash (hex) of one that is not in memory. */
  readonly body: Buffer | { readonly sha256: string };
  /** The sender has shown that the mailbox is theirs. */
  readonly verified: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What the app is told of the decision. */
export type Verdict = {
  readonly mode: 'enforce' | 'monitor';
  /** Null when there was nothing to decide by. */
  readonly score: { readonly trust: number; readonly riskLevel: RiskLevel } | null;
  readonly wantedAction: Action;
  readonly action: Action;
};

/** The app is asked within moments: long enough for clocks that differ, too short to be of use to anybody else. */
const ASSERTION_LIFETIME_S = 60;

/**
 * What the app is told about a signup, name and value in turn. Score and level are missing where there was
 * nothing to decide by; `-Monitor` says what would have been done, `-Degraded` that something could not be evaluated or
 * recorded.
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

/** Null where there is no decision, or no email. */
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
    method: request.method,
    path: request.path,
    email_sha256: request.email === null ? null : hash('sha256', request.email),
    body_sha256: Buffer.isBuffer(request.body) ? hash('sha256', request.body) : request.body.sha256,
  };
}

/** Signs what the gate says of a request, as a JWT (RFC 7519). */
export interface Signer {
  /** The `kid` in what it signs. */
  readonly keyId: string;
  /** @param claims must survive JSON: no dates, nothing undefined. */
  sign(claims: Readonly<Record<string, unknown>>): string;
}

/** The `kid` of the key that is made when none is configured. */
export const GENERATED_KEY_ID = 'generated';

/**
 * The first key signs. The others are there for the apps, which take whichever of them a `kid` names: a new key is put
 * in front when every app knows it, and the old one goes when nothing signed with it is valid any more.
 *
 * Signed with node:crypto: jose, with which the tests verify, costs 70 µs a signature through WebCrypto, this 3 µs.
 *
 * @param generatedSecret signs when the configuration names no key.
 * @throws Error naming the key when it is no Ed25519 private key in PEM.
 */
export function createSigner(keys: readonly AssertionKeyConfig[], generatedSecret: string): Signer {
  const { id, secret, private_key: pem } = keys[0] ?? { id: GENERATED_KEY_ID, secret: generatedSecret };
  if (pem !== undefined) {
    const key = readEd25519Key(id, pem);
    return jwtSigner(id, 'EdDSA', (text) =>
      signWithPrivateKey(null, Buffer.from(text), key).toString('base64url'),
    );
  }
  // A key object takes 1.6 µs a signature; the secret itself, imported for each one, 2.4 to 3.9.
  const key = createSecretKey(secret ?? generatedSecret, 'utf8');
  return jwtSigner(id, 'HS256', (text) => createHmac('sha256', key).update(text).digest('base64url'));
}

/**
 * Compact serialization (RFC 7515 section 7.1).
 *
 * @param signature of an ASCII text, in base64url.
 */
function jwtSigner(keyId: string, algorithm: 'HS256' | 'EdDSA', signature: (text: string) => string): Signer {
  const header = base64url({ alg: algorithm, kid: keyId, typ: 'JWT' });
  return {
    keyId,
    sign(claims) {
      const text = `${header}.${base64url(claims)}`;
      return `${text}.${signature(text)}`;
    },
  };
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
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
    `assertion.keys: the private_key of "${id}" is no Ed25519 key; make one with openssl genpkey -algorithm ed25519.`,
  );
}
