import type { Socket } from 'node:net';

/** Requests go to the backend, answers come from it. */
export type Direction = 'requests' | 'answers';

/** One client's connection through a fault proxy, with its connection to the backend. */
export interface FaultLink {
  /** No byte passes while it is held. */
  hold(isHeld: boolean): void;
  /** Holds it for ever. */
  mute(): void;
  /** Ends both sides without a farewell. */
  reset(): void;
}

export interface FaultLinkOptions {
  readonly client: Socket;
  readonly backend: Socket;
  /** Of answers. */
  readonly delayMs: () => number;
  /** How many of these bytes pass. Fewer than all: the link is reset after them. */
  readonly admit: (direction: Direction, length: number) => number;
  readonly onClosed: () => void;
}

/** Of one direction; a sender that is faster waits. */
const MAX_WAITING_BYTES = 1_048_576;

export function linkSockets({ client, backend, delayMs, admit, onClosed }: FaultLinkOptions): FaultLink {
  const sockets = [client, backend];
  let isHeld = false;
  let isMuted = false;
  const requests = forward(client, backend, 'requests', () => 0);
  const answers = forward(backend, client, 'answers', delayMs);

  function reset(): void {
    for (const socket of sockets) {
      // Node leaks a handle that is reset while its shutdown is under way, and the process can then never end.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
      // Which waits for writes, and a peer that does not read lets them wait for ever.
      if (socket.writableLength > 0) socket.destroy();
    }
  }

  function forward(from: Socket, to: Socket, direction: Direction, lateMs: () => number) {
    let waitingBytes = 0;
    let last: Promise<void> | null = null;

    function regulate(): void {
      if (isHeld || isMuted || waitingBytes + to.writableLength > MAX_WAITING_BYTES) from.pause();
      else from.resume();
    }

    /** In the order of arrival, whatever happens to the delay meanwhile. */
    function send(act: () => void): void {
      const dueAt = performance.now() + lateMs();
      if (last === null && lateMs() === 0) {
        act();
        return;
      }
      const turn = (last ?? Promise.resolve())
        .then(() => pause(dueAt - performance.now()))
        .then(() => {
          if (last === turn) last = null;
          if (to.writable) act();
        });
      last = turn;
    }

    from.on('data', (bytes: Buffer) => {
      const admitted = admit(direction, bytes.length);
      waitingBytes += admitted;
      send(() => {
        waitingBytes -= admitted;
        if (admitted > 0) to.write(bytes.subarray(0, admitted), regulate);
        if (admitted < bytes.length) to.write('', reset);
      });
      regulate();
    });
    from.on('end', () => send(() => to.end()));
    from.on('error', reset);
    to.on('drain', regulate);
    return { regulate };
  }

  for (const socket of sockets)
    socket.once('close', () => {
      if (sockets.every(({ closed }) => closed)) onClosed();
      else if (socket.errored) reset();
    });

  function regulate(): void {
    requests.regulate();
    answers.regulate();
  }

  return {
    hold(held) {
      isHeld = held;
      regulate();
    },
    mute() {
      isMuted = true;
      regulate();
    },
    reset,
  };
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms).unref());
}
