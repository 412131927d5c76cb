import type { IncomingMessage } from 'node:http';
import type { Client } from '../../accounts/user-sessions.ts';
import { type IpAddress, parseCidr, parseIpAddress } from '../../addresses/ip-address.ts';
import type { Config } from '../../config/config.ts';
import { peerAddress } from '../../http/proxy-protocol.ts';
import { clientAddress, clientName } from '../../http/request-head.ts';
import { readerLanguage } from '../../web/languages.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';
import { readKnownBrowserCookie } from './account-cookies.ts';

/** The client of the request: the peer, or the client that a trusted proxy names. */
function clientIp({ req }: DashboardContext, config: Config): IpAddress {
  const ip = senderIp(req, config);
  // The connection is closed, so no answer can be sent.
  if (!ip) throw new PageError(400, 'The connection ended before the answer.');
  return ip;
}

function senderIp(request: IncomingMessage, { dashboard }: Config): IpAddress | null {
  const socketAddress = parseIpAddress(peerAddress(request.socket));
  return (
    socketAddress &&
    clientAddress({
      socketAddress,
      trustedProxies: dashboard.trusted_proxies.flatMap((text) => parseCidr(text) ?? []),
      header: 'x-forwarded-for',
      rawHeaders: request.rawHeaders,
    })
  );
}

/** The name of the client of the request, who takes turns with others. */
export function senderOf(request: IncomingMessage, config: Config): string {
  return clientName(senderIp(request, config));
}

/** The client that requests a mail, and its language. */
export function mailSenderOf(context: DashboardContext, config: Config): Pick<Client, 'ip' | 'language'> {
  return { ip: clientIp(context, config), language: readerLanguage(context.headers['accept-language']) };
}

export function clientOf(
  context: DashboardContext,
  { config, publicUrl }: Pick<DashboardDependencies, 'config' | 'publicUrl'>,
): Client {
  return {
    ip: clientIp(context, config()),
    userAgent: context.headers['user-agent'] ?? null,
    language: readerLanguage(context.headers['accept-language']),
    knownBrowser: readKnownBrowserCookie(context, publicUrl()),
    session: context.state.viewer,
  };
}
