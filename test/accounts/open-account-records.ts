import type { ExecutionContext } from 'ava';
import type { Client } from '../../src/accounts/user-sessions.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import type { Account } from '../../src/storage/accounts/account-store.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
export const PUBLIC_URL = 'https://gatekeeper.example';

export interface AccountRecords {
  readonly records: Storage;
  readonly clock: { now: number };
  /** An account that was invited and, with a stored hash, chose its password. */
  user(email: string, given?: { readonly role?: Account['role']; readonly hash?: string }): Promise<Account>;
  /** What the audit log holds, newest first. */
  acts(): Promise<readonly { readonly act: string; readonly actorName: string; readonly detail: object }[]>;
}

/** The records of the account service, in a database of their own. */
export async function openAccountRecords(t: ExecutionContext): Promise<AccountRecords> {
  const clock = { now: NOON };
  const records = await openDatabase(`${temporaryFolder(t)}/gatekeeper.db`, () => clock.now);
  t.teardown(() => records.close());
  return {
    records,
    clock,
    async user(email, { role = 'member', hash } = {}) {
      const invited = await records.users.invite({ email, role, plan: 'hobby' });
      if (hash === undefined) return invited;
      await records.users.changePassword({ accountId: invited.id, password: hash, keepSession: '' });
      return (await records.users.findByEmail(email)) ?? invited;
    },
    acts: () => records.audit.page({ before: null, limit: 20 }),
  };
}

/** A browser at an address. */
export function clientFrom(text: string, changes: Partial<Client> = {}): Client {
  const ip = parseIpAddress(text);
  if (!ip) throw new TypeError(`${text} is no address`);
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  return { ip, userAgent, language: 'en', knownBrowser: null, session: null, ...changes };
}
