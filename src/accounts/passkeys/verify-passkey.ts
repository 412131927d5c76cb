import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from '../../storage/accounts/passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** The makers of authenticators whose root certificates the library contains. */
const ROOTS = ['android-key', 'android-safetynet', 'apple'] as const;
/** A response without certificates has about 1,000 characters. */
const MAX_RESPONSE_LENGTH = 16_384;
/** A credential id has at most 1,023 bytes: https://www.w3.org/TR/webauthn-3/#credential-id */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

/** The library is loaded with the first passkey, because it has many modules. */
async function webAuthn(): Promise<typeof import('@simplewebauthn/server')> {
  const library = await import('@simplewebauthn/server');
  // Every authenticator is accepted. With a root certificate, the library would fetch lists of revoked certificates
  // from URLs in the response.
  for (const identifier of ROOTS) {
    library.SettingsService.setRootCertificates({ identifier, certificates: [] });
  }
  return library;
}

/** A response of `navigator.credentials`, of which only these fields are checked. */
export interface BrowserResponse {
  /** The credential id, base64url. */
  readonly id: string;
  /** The challenge that the browser signed. */
  readonly challenge: string;
  readonly userHandle: string | null;
  readonly json: unknown;
}

/** The options of `navigator.credentials.create`. */
export async function creationOptions(
  site: RelyingParty,
  of: {
    readonly challenge: string;
    readonly accountId: string;
    readonly email: string;
    readonly present: readonly Passkey[];
  },
): Promise<object> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Gatekeeper',
    rpID: site.id,
    userName: of.email,
    userDisplayName: of.email,
    userID: new Uint8Array(Buffer.from(of.accountId)),
    challenge: new Uint8Array(Buffer.from(of.challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: of.present.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The options of `navigator.credentials.get`. They name no account: the browser offers the passkeys of this site. */
export async function requestOptions(site: RelyingParty, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
}

/** Null when the text is not a response of a browser. */
export function readBrowserResponse(text: string): BrowserResponse | null {
  if (text.length > MAX_RESPONSE_LENGTH) return null;
  try {
    const json = JSON.parse(text) as Partial<AuthenticationResponseJSON> | null;
    const { clientDataJSON = '', userHandle = null } = json?.response ?? {};
    const client = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    const { challenge } = client;
    if (typeof json?.id !== 'string' || !CREDENTIAL_ID.test(json.id) || typeof challenge !== 'string')
      return null;
    return { id: json.id, challenge, userHandle: userHandle === null ? null : String(userHandle), json };
  } catch {
    // Not JSON: treated like any other text that no browser sends.
    return null;
  }
}

/**
 * Checks a new passkey: challenge, site, and that the user was verified.
 *
 * @throws Error of the library for an invalid response.
 */
export async function verifyNewPasskey(
  site: RelyingParty,
  { json, challenge }: BrowserResponse,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: json as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  });
  if (!verified.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  if (!CREDENTIAL_ID.test(id)) return null;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/**
 * Checks a signature: challenge, site, that the user was verified, and that the counter grew.
 *
 * @returns the new counter; null for a wrong signature.
 * @throws Error of the library for an invalid response.
 */
export async function verifySignature(
  site: RelyingParty,
  { json, challenge }: BrowserResponse,
  passkey: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: json as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: passkey.transports as AuthenticatorTransport[],
    },
  });
  return verified.verified ? verified.authenticationInfo.newCounter : null;
}
