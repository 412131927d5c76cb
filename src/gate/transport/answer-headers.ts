import { isHopByHopInAnswer, namedByConnection } from './header-names.ts';
import { VIA } from './request-headers.ts';

export interface AnswerHeaders {
  /** Name and value in turn. */
  readonly headers: string[];
  /** What `Content-Length` says; null when it says nothing. */
  readonly length: number | null;
}

/**
 * The header of an answer as the client gets it: without what was meant for the hop behind us. Case, order and
 * repetition (`Set-Cookie`) stay.
 *
 * @param raw name and value in turn.
 * @returns null when the body is in a transfer coding that was not undone, and must not be passed on as if it were.
 */
export function answerHeaders(raw: readonly (Buffer | string)[], status: number): AnswerHeaders | null {
  const headers: string[] = [];
  let length: number | null = null;
  let connection = '';
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = text(raw[i]);
    const value = text(raw[i + 1]);
    const lowerCase = name.toLowerCase();
    if (isHopByHopInAnswer(lowerCase)) {
      if (lowerCase === 'connection') connection = connection === '' ? value : `${connection},${value}`;
      if (lowerCase === 'transfer-encoding' && value.trim().toLowerCase() !== 'chunked') return null;
      continue;
    }
    if (lowerCase === 'content-length') {
      // Not allowed there (RFC 9110 section 8.6), and clients have been seen to wait for the bytes.
      if (status === 204) continue;
      length = Number(value);
    }
    headers.push(name, value);
  }
  const named = connection === '' ? null : namedByConnection(connection);
  const kept = named === null ? headers : withoutNamed(headers, named);
  kept.push('Via', VIA);
  return { headers: kept, length };
}

/** A length stays whatever `Connection` says: it is what the connection to the client is framed by. */
function withoutNamed(headers: readonly string[], named: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'content-length' || !named.has(lowerCase)) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}

/** What a reason phrase may hold (RFC 9112 section 4) and every reader agrees about. Node throws on the rest. */
export function cleanReason(reason: string): string {
  return reason.replace(/[^\x20-\x7e]/g, '');
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
