import type { IncomingMessage } from 'node:http';
import { drainRequest, type Reply } from '../http/reply.ts';

/** An answer in the shape that frameworks send by themselves. */
export interface FrameworkAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Prepares an answer that a framework sends. When the sender is still sending, enough of the rest is read first: closing
 * a socket with unread bytes resets it, and a reset can overtake the answer.
 */
export async function prepareAnswer(request: IncomingMessage, reply: Reply): Promise<FrameworkAnswer> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < reply.headers.length; i += 2)
    headers[reply.headers[i] ?? ''] = reply.headers[i + 1] ?? '';
  if (reply.close) {
    headers.Connection = 'close';
    await new Promise<void>((resolve) => drainRequest(request, resolve));
  }
  return { status: reply.status, headers, body: reply.body ?? '' };
}
