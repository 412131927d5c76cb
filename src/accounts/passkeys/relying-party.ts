import { isIP } from 'node:net';

/** The site that passkeys belong to (WebAuthn: relying party). Browsers use a passkey only there. */
export interface RelyingParty {
  /** The host name of the site. */
  readonly id: string;
  readonly origin: string;
}

/** Null: browsers make passkeys only for host names, and only over https or on localhost. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null;
}
