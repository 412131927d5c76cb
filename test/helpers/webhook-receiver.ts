import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';

/** A receiver of webhooks on loopback that checks every signature with the library of Standard Webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  /** How often each decision came, by request id. */
  readonly received: ReadonlyMap<string, number>;
  /** The ids of accepted messages, in their order. */
  readonly messages: readonly string[];
  /** Requests with a wrong signature or a body that is not a batch. */
  readonly invalid: readonly string[];
  /** Tries so far, refused ones too. */
  readonly tries: number;
  /** Stops listening and cuts all connections, as when the machine dies. */
  die(): Promise<void>;
  comeBack(): Promise<void>;
}

export interface ReceiverOptions {
  readonly secret: string;
  /** Whether the try of this number, from 1, fails: with a status, or in the middle of the answer. */
  readonly fails?: (attempt: number) => boolean;
  /** Longer bodies are answered with 413. */
  readonly maxBytes?: number;
  /** `Retry-After` of each 413. */
  readonly retryAfterSeconds?: number;
}

export async function startWebhookReceiver(
  t: ExecutionContext,
  { secret, fails = () => false, maxBytes = Number.POSITIVE_INFINITY, retryAfterSeconds }: ReceiverOptions,
): Promise<WebhookReceiver> {
  const webhook = new Webhook(secret);
  const received = new Map<string, number>();
  const messages: string[] = [];
  const invalid: string[] = [];
  let tries = 0;
  let server: Server | null = null;
  let port = 0;

  function accept(body: string, headers: Record<string, string>): void {
    try {
      const message = webhook.verify(body, headers) as { data: readonly { v: number; request_id: string }[] };
      if (message.data.length === 0 || message.data.length > 500)
        throw new Error(`${message.data.length} decisions`);
      for (const { v, request_id } of message.data) {
        if (v !== 1) throw new Error(`version ${v}`);
        received.set(request_id, (received.get(request_id) ?? 0) + 1);
      }
      messages.push(headers['webhook-id'] ?? '');
    } catch (error) {
      invalid.push((error as Error).message);
    }
  }

  async function listen(): Promise<void> {
    const started = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        tries += 1;
        if (Number(request.headers['content-length']) > maxBytes) {
          if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
          response.writeHead(413).end();
          return;
        }
        const isFailing = fails(tries);
        // Half of the failures come after the receiver has stored the batch.
        if (!isFailing || tries % 2 === 0) {
          accept(Buffer.concat(chunks).toString('utf8'), request.headers as Record<string, string>);
        }
        if (!isFailing) response.writeHead(204).end();
        else if (tries % 4 < 2) response.writeHead(503).end();
        else request.socket.destroy();
      });
    });
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    port = (started.address() as AddressInfo).port;
    server = started;
  }

  async function die(): Promise<void> {
    const stopping = server;
    server = null;
    stopping?.closeAllConnections();
    await new Promise<void>((resolve) => (stopping ? stopping.close(() => resolve()) : resolve()));
  }

  await listen();
  t.teardown(die);
  return {
    url: `http://127.0.0.1:${port}/decisions`,
    received,
    messages,
    invalid,
    get tries() {
      return tries;
    },
    die,
    comeBack: listen,
  };
}
