import type { ServerResponse } from 'node:http';
import { openDroppedAnswer } from '../http/dropped-answer.ts';

/** One answer of the app, and the clients that wait for it. */
export interface SharedAnswer {
  /** Goes to the newest client that is connected when the answer begins. Without one, the answer is read and dropped. */
  readonly response: ServerResponse;
  /** Another client waits for the answer. False when it has begun, or when enough clients wait. */
  add(client: ServerResponse): boolean;
  isFor(client: ServerResponse): boolean;
}

const MAX_CLIENTS = 16;

/**
 * A person who clicks again while the app is slow disconnects the first request. So the request to the app does not end
 * with it, and its answer goes to the last click.
 */
export function shareAnswer(first: ServerResponse): SharedAnswer {
  const clients = [first];
  let chosen: ServerResponse | null = null;
  let onClose: (() => void) | null = null;

  function choose(): ServerResponse {
    chosen = clients.findLast(({ destroyed }) => !destroyed) ?? openDroppedAnswer().response;
    if (onClose) chosen.once('close', onClose);
    return chosen;
  }

  const listen = (event: string, listener: () => void) => {
    if (chosen === null && event === 'close') onClose = listener;
    else (chosen ?? first).once(event, listener);
  };
  const unlisten = (event: string, listener: () => void) => {
    if (onClose === listener) onClose = null;
    (chosen ?? first).off(event, listener);
  };
  const writeHead = (...head: Parameters<ServerResponse['writeHead']>) => choose().writeHead(...head);
  const response = new Proxy(first, {
    get(_, name) {
      if (name === 'once') return listen;
      if (name === 'off') return unlisten;
      if (name === 'writeHead') return writeHead;
      if (name === 'destroyed') return chosen?.destroyed ?? false;
      const target = chosen ?? first;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (_, name, value) => Reflect.set(chosen ?? first, name, value),
  });

  return {
    response,
    add: (client) => chosen === null && clients.length < MAX_CLIENTS && clients.push(client) > 0,
    isFor: (client) => chosen === client,
  };
}
