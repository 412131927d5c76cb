import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers to pipelined requests. Each waits for the earlier answer on its connection. */
export interface QueuedAnswers {
  /** Call this for an answer while an earlier answer is not finished. */
  add(socket: Duplex, response: ServerResponse): void;
}

/**
 * Informs waiting answers of the end of their connection. Node informs only the current answer. Without this, the
 * others would not be `destroyed` and would not emit `close`, so their resources would not be released.
 */
export function createQueuedAnswers(): QueuedAnswers {
  const queues = new WeakMap<Duplex, Set<ServerResponse>>();

  function queueOf(socket: Duplex): Set<ServerResponse> {
    const present = queues.get(socket);
    if (present) return present;
    const queue = new Set<ServerResponse>();
    queues.set(socket, queue);
    socket.once('close', () => {
      for (const response of queue) abandon(response);
    });
    return queue;
  }

  return {
    add(socket, response) {
      const queue = queueOf(socket);
      queue.add(response);
      response.once('close', () => queue.delete(response));
    },
  };
}

/** Ends an answer without a socket. Node itself informs an answer that already has its socket. */
function abandon(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
}
