import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../http/problem.ts';
import type { ApiKeyStore, AuthorizedKey } from '../storage/keys/api-key-store.ts';
import { fromRecords } from './from-records.ts';

/** The prefix of test keys. They get fixed answers and change no counters and no quota. */
const TEST_PREFIX = 'gk_test_';
const CHALLENGE = ['WWW-Authenticate', 'X-API-Key'];

/**
 * Finds the account of a request. The key must be in one `X-API-Key` field. It is not accepted in other places. The
 * query is the worst place, because URLs are logged. The key is found by the hash of its bytes as sent, so that timing
 * reveals none of its characters.
 * @throws {ProblemError} `missing_api_key`, `invalid_api_key`.
 */
export async function authenticate(
  request: IncomingMessage,
  apiKeys: ApiKeyStore,
  now: number,
): Promise<AuthorizedKey> {
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') {
    const instead = request.headers.authorization === undefined ? '' : ', not in Authorization';
    throw new ProblemError('missing_api_key', `Send your key in the X-API-Key header${instead}.`, {
      headers: CHALLENGE,
    });
  }
  if (countFields(request.rawHeaders, 'x-api-key') > 1) {
    throw new ProblemError('invalid_api_key', 'X-API-Key must be present exactly once.', {
      headers: CHALLENGE,
    });
  }
  const authorized = await fromRecords(() =>
    apiKeys.authorize(hash('sha256', Buffer.from(key, 'latin1')), now),
  );
  if (!authorized) {
    throw new ProblemError('invalid_api_key', 'This key is unknown, revoked or expired.', {
      headers: CHALLENGE,
    });
  }
  // A key of the configuration has no stored account before its first use: until then, only its hash is known.
  return key.startsWith(TEST_PREFIX) ? { ...authorized, test: true } : authorized;
}

/** The number of lines of the head with this field. Node joins or drops repeated lines. */
export function countFields(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i];
    if (field?.length === name.length && field.toLowerCase() === name) count++;
  }
  return count;
}
