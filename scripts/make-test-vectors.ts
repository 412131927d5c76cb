/**
 * Writes `examples/test-vectors.json`: requests to an app behind the gate, and whether the verifier of the app must accept
 * them. The same keys and times give the same file, so that a test can make it again and compare both.
 */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSigner } from '../src/gate/gate-headers.ts';

export const VECTORS_FILE = fileURLToPath(new URL('../examples/test-vectors.json', import.meta.url));

/** Two keys, as during a rotation. They are public, so they protect nothing. */
const KEYS = {
  'test-new': 'test vector secret number two, 32 bytes or more',
  'test-old': 'test vector secret number one, 32 bytes or more',
};
/** An assertion of the gate is valid for 60 s. These must stay valid as long as the file is in use. */
const FAR_FUTURE = Date.UTC(2100, 0, 1) / 1_000;
const PAST = Date.UTC(2026, 0, 1) / 1_000;

interface VectorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TestVector {
  readonly name: string;
  /** Whether the handler may run. */
  readonly accepted: boolean;
  readonly request: VectorRequest;
}

const FORM = 'application/x-www-form-urlencoded';
const BODY = 'email=ada%40company.example&name=Ada';
const EMAIL = 'ada@company.example';

function claimsFor(changed: Readonly<Record<string, unknown>> = {}) {
  return {
    iss: 'gatekeeper',
    jti: '01a1fc84-08e3-7e73-88db-1a31297138ba',
    iat: PAST,
    exp: FAR_FUTURE,
    score: 91,
    risk_level: 'low',
    action: 'forward',
    mode: 'enforce',
    verified: false,
    method: 'POST',
    path: '/signup?plan=free',
    email_sha256: hash('sha256', EMAIL),
    body_sha256: hash('sha256', BODY),
    ...changed,
  };
}

function sign(claims: object, keyId = 'test-new', secret = KEYS['test-new']): string {
  return createSigner([{ id: keyId, secret }], '').sign({ ...claims });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Changes one bit of the header, of the claims or of the signature, and nothing else. */
function flipBit(token: string, part: 0 | 1 | 2): string {
  const parts = token.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  parts[part] = bytes.toString('base64url');
  return parts.join('.');
}

function vector(
  name: string,
  accepted: boolean,
  { token, ...request }: { token: string | null } & Partial<Omit<VectorRequest, 'headers'>>,
): TestVector {
  const headers = { 'content-type': FORM, ...(token !== null && { 'x-gatekeeper-assertion': token }) };
  return {
    name,
    accepted,
    request: { method: 'POST', path: '/signup?plan=free', body: BODY, ...request, headers },
  };
}

export function makeTestVectors(): { readonly keys: typeof KEYS; readonly vectors: readonly TestVector[] } {
  const valid = sign(claimsFor());
  const [, validClaims = '', validSignature = ''] = valid.split('.');
  const unsigned = encode({ alg: 'none', typ: 'JWT' });
  const otherBody = BODY.replace('ada', 'eve');
  const vectors = [
    vector('valid', true, { token: valid }),
    vector('valid, signed with the older of two keys', true, {
      token: sign(claimsFor(), 'test-old', KEYS['test-old']),
    }),
    vector('valid, to be verified by the app', true, { token: sign(claimsFor({ action: 'verify' })) }),
    vector('valid, in monitor mode, without a decision', true, {
      token: sign(claimsFor({ mode: 'monitor', score: null, risk_level: null })),
    }),
    vector('no assertion', false, { token: null }),
    vector('an empty assertion', false, { token: '' }),
    vector('an assertion that is no token', false, { token: 'let me in' }),
    vector('three parts of nothing', false, { token: '..' }),
    vector('one bit of the header flipped', false, { token: flipBit(valid, 0) }),
    vector('one bit of the claims flipped', false, { token: flipBit(valid, 1) }),
    vector('one bit of the signature flipped', false, { token: flipBit(valid, 2) }),
    vector('the signature cut short', false, { token: valid.slice(0, -4) }),
    vector('no signature', false, { token: valid.slice(0, -validSignature.length) }),
    vector('expired', false, { token: sign(claimsFor({ exp: PAST + 60 })) }),
    vector('without an expiry', false, { token: sign(claimsFor({ exp: undefined })) }),
    vector('algorithm none, no signature', false, { token: `${unsigned}.${validClaims}.` }),
    vector('algorithm none, the signature of another token', false, {
      token: `${unsigned}.${validClaims}.${validSignature}`,
    }),
    vector('algorithm none under a known key id', false, {
      token: `${encode({ alg: 'none', kid: 'test-new', typ: 'JWT' })}.${validClaims}.`,
    }),
    vector('signed with another key under a known key id', false, {
      token: sign(claimsFor(), 'test-new', 'a secret that nobody was told, 32 bytes or more'),
    }),
    vector('signed with the other of the two keys', false, {
      token: sign(claimsFor(), 'test-new', KEYS['test-old']),
    }),
    vector('an unknown key id', false, { token: sign(claimsFor(), 'test-unknown') }),
    vector('an unknown key id, signed with nothing', false, { token: sign(claimsFor(), 'test-unknown', '') }),
    vector('a key id that every object has', false, { token: sign(claimsFor(), 'constructor', '') }),
    vector('signed by somebody else with the same key', false, { token: sign(claimsFor({ iss: 'other' })) }),
    vector('a signup that was blocked', false, { token: sign(claimsFor({ action: 'block' })) }),
    vector('the token of a visitor who was sent away to verify', false, {
      token: sign({ iss: 'gatekeeper', aud: 'https://verify.example/', exp: FAR_FUTURE, action: 'verify' }),
    }),
    vector('of a request with another method', false, { token: valid, method: 'PUT' }),
    vector('of a request to another path', false, { token: sign(claimsFor({ path: '/newsletter' })) }),
    vector('of a request with another query', false, { token: valid, path: '/signup?plan=pro' }),
    vector('of a request with another email', false, { token: valid, body: otherBody }),
    vector('of a request with one byte more', false, { token: valid, body: `${BODY}&` }),
    vector('of a request without a body', false, { token: valid, body: '' }),
  ];
  return { keys: KEYS, vectors };
}

export function renderTestVectors(): string {
  return `${JSON.stringify(makeTestVectors(), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(VECTORS_FILE, renderTestVectors());
