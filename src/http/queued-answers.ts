import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers to pipelined requests, each behind the one before it on their connection. */
export interface QueuedAnswers {
  /** To be called for an answer while an earlier one is not finished. */
  add(socket: Duplex, response: ServerResponse): void;
}

/**
 * Tells answers of the end of their connection. Node tells only the one whose turn it is: the others would never be
 * `destroyed` nor emit `close`, and whatever was reserved for them would be kept for ever.
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

/** One that has a socket by now hears of its end from Node. */
function abandon(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
}
