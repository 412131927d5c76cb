import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import type { AcceptConnections } from '../http/bind-server.ts';
import { type Listener, openListener } from '../http/listener.ts';
import { logFull } from '../http/open-connections.ts';
import type { Logger } from '../telemetry/logger.ts';

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
