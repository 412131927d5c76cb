import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** How the connection ended: by the server, or still open when the wait was over. */
  readonly end: 'closed' | 'reset' | 'open';
}

/**
 * Sends raw bytes and reads complete answers until the server closes, the expected number has arrived, or the wait is
 * over. A wait that runs out is a failure of the test, never its measure.
 */
export function exchange(
  port: number,
  payload: string | Buffer,
  { answers: wanted = Number.POSITIVE_INFINITY, waitMs = 60_000 } = {},
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const finish = (end: RawExchange['end']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: parseAnswers(text), end });
    };
    const timer = setTimeout(finish, waitMs, 'open');
    socket.on('error', () => finish('reset'));
    socket.on('close', () => finish('closed'));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (parseAnswers(text).length >= wanted) finish('open');
    });
    socket.write(payload);
  });
}

/** Final answers framed by Content-Length; interim answers (1xx) are skipped. Answers to HEAD have no body. */
export function parseAnswers(text: string, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const length = status < 200 || status === 204 || isHead ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < headEnd + 4 + length) return answers;
    if (status >= 200) answers.push({ status, headers, body: rest.slice(headEnd + 4, headEnd + 4 + length) });
    rest = rest.slice(headEnd + 4 + length);
  }
}
