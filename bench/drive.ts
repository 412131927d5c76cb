import { connect, type Socket } from 'node:net';

export interface Load {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Complete requests, head and body, as latin1. Sent in turn, repeatedly. */
  readonly requests: readonly string[];
  /** How many are sent in total. */
  readonly count: number;
  /** Keep-alive connections, each with one running request. */
  readonly connections: number;
  /** The client of one in so many requests disconnects before its answer, and another client replaces it. 0: never. */
  readonly leavesEvery?: number;
}

export interface LoadResult {
  readonly elapsedMs: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Median time from sending to the complete answer. */
  readonly p50Ms: number;
  /** One percent of the requests took longer. */
  readonly p99Ms: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * Sends requests over a fixed number of connections and waits for every answer. Written on bare sockets, because a load
 * generator must cost less than the measured server: about 10 µs a request, where HTTP clients take 30 to 60.
 * @throws {Error} when a connection ends early or an answer cannot be read.
 */
export async function drive({
  port,
  requests,
  count,
  connections,
  leavesEvery = 0,
}: Load): Promise<LoadResult> {
  if (requests.length === 0) throw new Error('there is no request to send');
  const payloads = requests.map((text) => Buffer.from(text, 'latin1'));
  const latencies = new Float64Array(count);
  const statuses: Record<string, number> = {};
  const sockets = new Set<Socket>();
  let started = 0;
  let answered = 0;
  let lastMs = 1;

  /** One after the other, on one connection until its client disconnects, then on the next. */
  function serve(): Promise<void> {
    return new Promise((resolve, reject) => {
      const open = () => {
        let sentAt = 0;
        let isLeaving = false;
        const socket = connect(port, '127.0.0.1');
        sockets.add(socket);
        const leave = () => {
          sockets.delete(socket.destroy());
          open();
        };
        const reader = createAnswerReader((status) => {
          if (isLeaving) return;
          lastMs = performance.now() - sentAt;
          latencies[answered++] = lastMs;
          statuses[status] = (statuses[status] ?? 0) + 1;
          send();
        });
        const send = () => {
          if (started >= count) {
            socket.end();
            resolve();
            return;
          }
          const current = started++;
          isLeaving = leavesEvery > 0 && current % leavesEvery === leavesEvery - 1;
          sentAt = performance.now();
          socket.write(payloads[current % payloads.length] ?? NOTHING);
          // At half of the usual answer time, so that the request is running.
          if (isLeaving) setTimeout(leave, lastMs / 2);
        };
        socket.setNoDelay(true);
        socket.on('connect', send);
        socket.on('data', (chunk) => {
          try {
            reader.read(chunk);
          } catch (error) {
            socket.destroy();
            reject(error);
          }
        });
        socket.on('error', (error) => {
          if (!isLeaving) reject(error);
        });
        // After `resolve` this changes nothing.
        socket.on('close', () => {
          if (!isLeaving) reject(new Error('The server closed a connection before it had answered.'));
        });
      };
      open();
    });
  }

  const startedAt = performance.now();
  try {
    await Promise.all(Array.from({ length: Math.min(connections, count) }, serve));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const elapsedMs = performance.now() - startedAt;
  const sorted = latencies.subarray(0, answered).toSorted();
  return {
    elapsedMs,
    statuses,
    p50Ms: sorted[answered >> 1] ?? 0,
    p99Ms: sorted[Math.ceil(answered * 0.99) - 1] ?? 0,
  };
}

/** Reads answers with a Content-Length or in chunks, one after the other. */
function createAnswerReader(onAnswer: (status: number) => void): { read(chunk: Buffer): void } {
  let head: Buffer = NOTHING;
  let status = 0;
  /** Bytes of the body still missing; -1 while a head is read, Infinity while chunks are read. */
  let left = -1;
  let tail = '';

  function read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === -1) rest = readHead(rest);
      else if (left === Number.POSITIVE_INFINITY) rest = readChunks(rest);
      else {
        const taken = Math.min(left, rest.length);
        left -= taken;
        rest = rest.subarray(taken);
      }
      if (left === 0) {
        left = -1;
        onAnswer(status);
      }
    }
  }

  function readHead(chunk: Buffer): Buffer {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return NOTHING;
    const text = head.toString('latin1', 0, end + 2);
    const rest = head.subarray(end + 4);
    head = NOTHING;
    tail = '';
    status = Number(text.slice(9, 12));
    const [, length] = /\r\ncontent-length: *(\d+)\r\n/i.exec(text) ?? [];
    if (length !== undefined) left = Number(length);
    else if (/\r\ntransfer-encoding: *chunked\r\n/i.test(text)) left = Number.POSITIVE_INFINITY;
    else throw new Error(`An answer has neither a length nor chunks:\n${text}`);
    return rest;
  }

  /** Only one request runs at a time, so the last chunk is at the end of the bytes. */
  function readChunks(chunk: Buffer): Buffer {
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7);
    if (tail === '\r\n0\r\n\r\n' || tail === '0\r\n\r\n') left = 0;
    return NOTHING;
  }

  return { read };
}
