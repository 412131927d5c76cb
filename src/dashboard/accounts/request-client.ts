import { networkOf, parseCidr } from '../../addresses/cidr.ts';
import { type IpAddress, parseIpAddress } from '../../addresses/ip-address.ts';
import type { Config } from '../../config/config.ts';
import { clientAddress } from '../../http/client-address.ts';
import { peerAddress } from '../../http/proxy-protocol.ts';
import { PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';

/** Whoever sent the request: the peer, or whom a trusted proxy in front names. */
export function clientIp({ req }: DashboardContext, { dashboard }: Config): IpAddress {
  const socketAddress = parseIpAddress(peerAddress(req.socket));
  // The connection is gone, and the answer with it.
  if (!socketAddress) throw new PageError(400, 'The connection ended before the answer.');
  return clientAddress({
    socketAddress,
    trustedProxies: dashboard.trusted_proxies.flatMap((text) => parseCidr(text) ?? []),
    header: 'x-forwarded-for',
    rawHeaders: req.rawHeaders,
  });
}

/** What tries are counted under: an IPv6 site has more addresses than anybody could count. */
export function originOf(ip: IpAddress): string {
  return ip.family === 6 ? networkOf(ip, 64).text : ip.text;
}
