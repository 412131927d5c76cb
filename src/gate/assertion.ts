import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  type KeyObject,
  sign as signWithPrivateKey,
} from 'node:crypto';
import type { AssertionKeyConfig } from '../config/config.ts';

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
