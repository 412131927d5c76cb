import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
}

interface Deviation {
  /** The length of the credential id. */
  readonly idBytes?: number;
  readonly transports?: readonly string[];
  /** Another credential id beside the one of the authenticator. */
  readonly named?: string;
}

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 } as const;

/** What a browser sends for a new passkey, as an authenticator of software makes it: a P-256 key without attestation. */
export function newPasskeyResponse(
  { challenge, rp }: CreationOptions,
  { idBytes = 32, transports = ['internal'], named }: Deviation = {},
): string {
  const id = randomBytes(idBytes);
  const idLength = Buffer.alloc(2);
  idLength.writeUInt16BE(idBytes);
  const authData = Buffer.concat([
    createHash('sha256').update(rp.id).digest(),
    Buffer.from([FLAGS.present | FLAGS.verified | FLAGS.hasCredential]),
    Buffer.alloc(4),
    Buffer.alloc(16),
    ...[idLength, id, publicKey()],
  ]);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ]);
  const name = named ?? id.toString('base64url');
  const client = { type: 'webauthn.create', challenge, origin: `https://${rp.id}`, crossOrigin: false };
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

/** As COSE. */
function publicKey(): Uint8Array {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
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
