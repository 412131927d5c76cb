import type { IncomingMessage } from 'node:http';
import { drainRequest, type Reply } from '../http/reply.ts';

/** An answer in the shape that frameworks send by themselves. */
export interface FrameworkAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Prepares an answer that a framework sends. If the sender is still sending, part of the rest is read first. Closing a
 * socket with unread bytes resets the connection, and the reset can arrive before the answer.
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
