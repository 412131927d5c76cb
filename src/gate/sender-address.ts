import type { IpAddress } from '../addresses/ip-address.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Peer, TrustSettings } from './transport/upstream-request.ts';

/** The address of the sender, behind trusted proxies too. Null when the connection was closed before it was read. */
export function senderAddress(
  { ip: socketAddress, trusted }: Pick<Peer, 'ip' | 'trusted'>,
  rawHeaders: readonly string[],
  { trustedProxies, clientIpHeader }: TrustSettings,
): IpAddress | null {
  if (!socketAddress || !trusted) return socketAddress;
  return clientAddress({ socketAddress, trustedProxies, header: clientIpHeader, rawHeaders });
}
