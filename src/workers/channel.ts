import type { Socket } from 'node:net';
import { StorageAwayError } from '../storage/storage-error.ts';
import { describeError, reviveError, type SentError } from './sent-error.ts';

/**
 * The calls that one process answers for another. Each has one argument, and may bring a connection. A function as
 * result is called once the answer has left this process, and the caller gets nothing.
 */
export type Calls<Names> = {
  readonly [Name in keyof Names]: (argument: never, socket?: Socket) => unknown;
};

/** One end of the connection between a parent and a worker. */
export interface Channel<Theirs extends Calls<Theirs>> {
  /**
   * Waits for the answer of the other process. A socket stays open in this process too.
   * @throws the error of the other process, or StorageAwayError when that process has ended.
   */
  call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
    socket?: Socket,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
}

/** What `node:child_process` has in the parent, and `process` in the worker. */
export interface IpcEnd {
  send?(
    message: unknown,
    socket: Socket | undefined,
    options: { readonly keepOpen: boolean },
    callback: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', listener: (message: unknown, socket: unknown) => void): unknown;
  once(event: 'disconnect' | 'exit', listener: () => void): unknown;
}

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError };

interface Sending {
  readonly socket?: Socket | undefined;
  /** The system has all of the message: it arrives even when this process is killed. */
  readonly onSent?: () => void;
  readonly onFailure?: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Opens one end. Callers limit how many of their calls wait at a time. */
export function openChannel<Theirs extends Calls<Theirs>>(
  end: IpcEnd,
  answers: Readonly<Record<string, (argument: never, socket?: Socket) => unknown>>,
): Channel<Theirs> {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let isOpen = true;

  function send(message: Message, { socket, onSent, onFailure }: Sending = {}): void {
    end.send?.(message, socket, { keepOpen: true }, (error) =>
      error ? onFailure?.(ended(error)) : onSent?.(),
    );
  }

  async function answer({ id, name, argument }: Extract<Message, { kind: 'call' }>, socket?: Socket) {
    try {
      const value = await answers[name]?.(argument as never, socket);
      if (typeof value === 'function')
        send({ kind: 'result', id, value: undefined }, { onSent: () => value() });
      else send({ kind: 'result', id, value });
    } catch (error) {
      send({ kind: 'failure', id, error: describeError(error) });
    }
  }

  function settle(message: Exclude<Message, { kind: 'call' }>): void {
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.kind === 'result') resolve?.(message.value as never);
    else reject?.(reviveError(message.error));
  }

  end.on('message', (received, socket) => {
    const message = received as Message;
    if (message.kind === 'call') void answer(message, socket as Socket | undefined);
    else settle(message);
  });
  function fail(): void {
    isOpen = false;
    for (const { reject } of waiting.values()) reject(ended());
    waiting.clear();
  }
  end.once('disconnect', fail);
  // While a socket is on its way, Node 20 does not report that the other end is gone, only that the process is. Its last
  // answers may still be in the pipe.
  end.once('exit', () => setImmediate(() => setImmediate(fail)));

  return {
    call(name, argument, socket) {
      if (!isOpen) return Promise.reject(ended());
      const id = calls++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const onFailure = (error: Error) => {
          waiting.delete(id);
          reject(error);
        };
        send({ kind: 'call', id, name, argument }, { socket, onFailure });
      });
    },
  };
}

function ended(cause?: Error): StorageAwayError {
  return new StorageAwayError('The other process of this Gatekeeper has ended.', { cause });
}
