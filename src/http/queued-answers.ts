import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers to pipelined requests. Each waits for the earlier answer on its connection. */
export interface QueuedAnswers {
  /** Call this for an answer while an earlier answer is not finished. The last possible one ends the connection. */
  add(socket: Duplex, response: ServerResponse): void;
  /** Call this for a request that gets no answer, because an earlier answer ends the connection. */
  drop(socket: Duplex): void;
}

/**
 * The limit of answers that wait on one connection. Clients that pipeline send about ten requests at once (apt, and
 * benchmarks 16); browsers do not pipeline.
 */
const MAX_WAITING = 32;
/**
 * Requests without an answer after which the connection is closed at once. Node keeps each until then, with a hundred
 * times the memory of its 26 bytes.
 */
const MAX_DROPPED = 64;

/**
 * Limits the waiting answers, because Node reads on whatever waits. Also informs them of the end of their connection.
 * Node informs only the current answer. Without this, the others would not be `destroyed` and would not emit `close`, so
 * their resources would not be released.
 */
export function createQueuedAnswers(): QueuedAnswers {
  const queues = new WeakMap<Duplex, Set<ServerResponse>>();
  const dropped = new WeakMap<Duplex, number>();

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
      if (queue.size >= MAX_WAITING) response.shouldKeepAlive = false;
    },
    drop(socket) {
      const count = (dropped.get(socket) ?? 0) + 1;
      dropped.set(socket, count);
      if (count > MAX_DROPPED) socket.destroy();
    },
  };
}

/** Ends an answer without a socket. Node itself informs an answer that already has its socket. */
function abandon(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
}
