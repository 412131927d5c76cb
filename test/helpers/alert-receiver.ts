import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { AlertConfig } from '../../src/exports/alert-message.ts';

/** An alert as the receiver got it. */
export interface ReceivedAlert {
  readonly path: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export interface AlertReceiver {
  readonly url: string;
  readonly received: readonly ReceivedAlert[];
  /** Requests so far, failed ones too. */
  tries(): number;
}

/** A server on loopback that collects what is posted to it; the first requests fail. */
export async function startAlertReceiver(t: ExecutionContext, failing = 0): Promise<AlertReceiver> {
  const received: ReceivedAlert[] = [];
  let tries = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      tries += 1;
      const headers = request.headers as Record<string, string>;
      const isFailing = tries <= failing;
      if (!isFailing)
        received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers });
      response.writeHead(isFailing ? 500 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { received, tries: () => tries, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A receiver of all events in the configuration, on loopback. */
export function alertTo(
  name: string,
  to: AlertConfig['to'],
  changes: Partial<AlertConfig> = {},
): AlertConfig {
  return {
    ...{ name, to, url: null, secrets: [], mail: null, quiet_hours: null, private_networks: ['127.0.0.0/8'] },
    about: ['attacks', 'refusals', 'degraded', 'data', 'unjudged'],
    ...changes,
  };
}
