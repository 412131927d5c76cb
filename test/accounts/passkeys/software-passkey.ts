import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
}

export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

interface Deviation {
  /** The length of the credential id. */
  readonly idBytes?: number;
  readonly transports?: readonly string[];
  /** Another credential id beside the one of the authenticator. */
  readonly named?: string;
  /** Of the page; left out: that of the site. */
  readonly origin?: string;
  /** Left out: a new one. */
  readonly key?: SoftwarePasskey;
}

export interface SoftwarePasskey {
  readonly id: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A credential of an authenticator. */
export function createSoftwarePasskey(): SoftwarePasskey {
  return { id: randomBytes(32), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 } as const;

/** What a browser sends for a new passkey, as an authenticator of software makes it: a P-256 key without attestation. */
export function newPasskeyResponse(
  { challenge, rp }: CreationOptions,
  { idBytes = 32, transports = ['internal'], named, origin = `https://${rp.id}`, key }: Deviation = {},
): string {
  const id = key?.id ?? randomBytes(idBytes);
  const idLength = Buffer.alloc(2);
  idLength.writeUInt16BE(id.length);
  const authData = Buffer.concat([
    createHash('sha256').update(rp.id).digest(),
    Buffer.from([FLAGS.present | FLAGS.verified | FLAGS.hasCredential]),
    Buffer.alloc(4),
    Buffer.alloc(16),
    ...[idLength, id, publicKey(key ?? createSoftwarePasskey())],
  ]);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ]);
  const name = named ?? id.toString('base64url');
  const client = { type: 'webauthn.create', challenge, origin, crossOrigin: false };
  return JSON.stringify({
    ...{ id: name, rawId: name, type: 'public-key' },
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports,
    },
  });
}

/** What a browser sends to sign in: an authenticator that does not count its signatures, as synced passkeys are. */
export function signInResponse(
  { challenge, rpId }: RequestOptions,
  { id, privateKey }: SoftwarePasskey,
  { origin = `https://${rpId}`, userHandle }: { readonly origin?: string; readonly userHandle?: string } = {},
): string {
  const client = { type: 'webauthn.get', challenge, origin, crossOrigin: false };
  const clientData = Buffer.from(JSON.stringify(client));
  const authData = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([FLAGS.present | FLAGS.verified]),
    Buffer.alloc(4),
  ]);
  const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
  const name = id.toString('base64url');
  return JSON.stringify({
    ...{ id: name, rawId: name, type: 'public-key', clientExtensionResults: {} },
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
      ...(userHandle !== undefined && { userHandle: Buffer.from(userHandle).toString('base64url') }),
    },
  });
}

/** As COSE. */
function publicKey({ publicKey }: SoftwarePasskey): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const key = new Map<number, unknown>([
    ...([
      [1, 2],
      [3, -7],
      [-1, 1],
    ] as const),
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ]);
  return isoCBOR.encode(key as never);
}
