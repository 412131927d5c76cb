import { parseIpAddress } from '../addresses/ip-address.ts';
import { parseListenAddress } from './listen-address.ts';

/** The values that `dns.setServers` accepts: an address with an optional port. */
export const DNS_SERVER_FORMAT = {
  expected: 'the IP address of a resolver, such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53',
  accepts: isDnsServer,
} as const;

function isDnsServer(text: string): boolean {
  if (parseIpAddress(text)) return true;
  const listen = parseListenAddress(text);
  return listen !== null && listen.port > 0 && parseIpAddress(listen.host) !== null;
}
