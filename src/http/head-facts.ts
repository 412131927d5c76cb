import type { IncomingMessage } from 'node:http';

/** No browser sends half of that. */
const MAX_USER_AGENT_CHARACTERS = 2_048;

/** Null when absent or blank. */
export function userAgentOf({ headers }: IncomingMessage): string | null {
  return headers['user-agent']?.trim().slice(0, MAX_USER_AGENT_CHARACTERS) || null;
}

/** Name and value of each header line, as they came and in their order. */
export function headerPairs({ rawHeaders }: IncomingMessage): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  }
  return pairs;
}
