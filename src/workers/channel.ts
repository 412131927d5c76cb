import type { Socket } from 'node:net';
import { StorageAwayError } from '../storage/storage-error.ts';
import { describeError, reviveError, type SentError } from './sent-error.ts';

/**
 * The calls that one process answers for another. Each call has one argument and may carry a connection. When the
 * result is a function, it runs after the answer has left this process, and the caller receives no value.
 */
export type Calls<Names> = {
  readonly [Name in keyof Names]: (argument: never, socket?: Socket) => unknown;
};

/** One end of the connection between a parent and a worker. */
export interface Channel<Theirs extends Calls<Theirs>> {
  /**
   * Calls the other process and waits for its answer. A socket that is sent stays open in this process too.
   * @throws the error of the other process, or StorageAwayError when that process has ended.
   */
  call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Parameters<Theirs[Name]>[0],
    socket?: Socket,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
}

/** The methods that a child process has in the parent, and that `process` has in the worker. */
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
  /** The operating system has the whole message now. It arrives even when this process is killed. */
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
  // While a socket is being sent, Node 20 reports only that the process has ended, not that the channel is closed. The
  // last answers of that process may still be in the pipe.
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
