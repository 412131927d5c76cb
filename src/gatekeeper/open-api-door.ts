import type { IncomingMessage, RequestListener } from 'node:http';
import { parseIpAddress } from '../addresses/ip-address.ts';
import type { Config } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import type { AcceptConnections } from '../http/bind-server.ts';
import { type Listener, openListener } from '../http/listener.ts';
import { logFull } from '../http/open-connections.ts';
import { peerAddress } from '../http/proxy-protocol.ts';
import { clientName } from '../http/request-head.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateDoor } from './open-gate-door.ts';

export interface ApiDoorOptions {
  readonly config: Config;
  readonly handler: RequestListener;
  /** Accepts connections for the API. Left out: the API accepts connections itself. */
  readonly accept: AcceptConnections | undefined;
  readonly log: Logger;
}

/** @throws ListenError when the address cannot be bound. */
export function openApiDoor({ config, handler, accept, log }: ApiDoorOptions): Promise<Listener> {
  return openListener({
    listen: parseListenAddress(config.api.listen) ?? { host: '127.0.0.1', port: 8080 },
    limits: config.server,
    handler,
    accept,
    onFull: logFull(log, 'api'),
  });
}

/** Names the senders of the API. On the address of the gate they are behind the same proxies as its visitors. */
export function apiSenders(gate: () => GateDoor | null): (request: IncomingMessage) => string {
  return (request) => {
    const shared = gate();
    return shared?.servesApi
      ? shared.senderOf(request)
      : clientName(parseIpAddress(peerAddress(request.socket)));
  };
}
