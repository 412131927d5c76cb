import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** An app may answer with a stream that never ends. Only the head of the answer is needed. */
const MAX_BYTES = 1_048_576;
const MAX_MS = 10_000;

/**
 * A request and a response without a client, for a signup that no browser waits for. The answer of the app is read and
 * dropped. After a megabyte, or ten seconds after its head, the rest is not read.
 */
export function openDroppedAnswer(): {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
} {
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;
  const sink = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      timer ??= setTimeout(() => void sink.destroy(), MAX_MS);
      if (bytes > MAX_BYTES) sink.destroy();
      done();
    },
    destroy(error, done) {
      if (timer) clearTimeout(timer);
      done(error);
    },
  });
  const request = new IncomingMessage(sink as Socket);
  request.complete = true;
  const response = new ServerResponse(request);
  response.assignSocket(sink as Socket);
  // Node's server does this for the connections that it accepts.
  sink.on('drain', () => response.emit('drain'));
  response.once('finish', () => void sink.destroy());
  return { request, response };
}
