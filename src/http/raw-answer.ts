import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemError, problemDocument, problemHeaders } from './problem.ts';

/** The time for which a refused connection stays half open, so that the client reads the refusal before the reset. */
const LINGER_MS = 1_000;

/** Answers with a problem on a connection that has no response object of Node, and ends the connection. */
export function endWithProblem(socket: Duplex, problem: ProblemError): void {
  if (!socket.writable) return;
  socket.end(rawAnswer(problem));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

function rawAnswer(problem: ProblemError): string {
  const body = problemDocument(problem, randomUUID());
  const fields = [
    ...problemHeaders(problem),
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Connection',
    'close',
  ];
  const lines = fields.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${fields[i + 1]}`] : []));
  const { status, title } = PROBLEMS[problem.code];
  return `HTTP/1.1 ${status} ${title.replace(/\.$/, '')}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
