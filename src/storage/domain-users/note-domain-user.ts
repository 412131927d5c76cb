import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import { MAX_USERS_PER_DAY, MAX_USERS_PER_DOMAIN } from './domain-user-store.ts';

type Database = Kysely<StorageSchema>;

/** The columns of a decision with the mailbox and the network of the signup. */
export const SIGNUP_COLUMNS = ['mailbox', 'domain', 'network', 'test'] as const;

export interface NotedSignup {
  readonly mailbox: string | null;
  readonly domain: string | null;
  readonly network: string;
  readonly test: number;
}

const DAY_MS = 86_400_000;

/**
 * Records that a person with a mailbox of the domain was verified or labelled legitimate. Only one person is recorded
 * for each network and day. So a campaign of one day does not make a domain trusted, and the bounded records cover many
 * days.
 */
export async function noteDomainUser(
  trx: Database,
  { mailbox, domain, network, test }: NotedSignup,
  now: number,
): Promise<void> {
  if (mailbox === null || domain === null || test === 1) return;
  const noted = await trx
    .selectFrom('domain_users')
    .select(['network', 'noted_at'])
    .where('domain', '=', domain)
    .limit(MAX_USERS_PER_DOMAIN)
    .execute();
  const today = noted.filter(({ noted_at }) => Math.floor(noted_at / DAY_MS) === Math.floor(now / DAY_MS));
  const isFull = noted.length >= MAX_USERS_PER_DOMAIN || today.length >= MAX_USERS_PER_DAY;
  if (isFull || today.some((user) => user.network === network)) return;
  await trx
    .insertInto('domain_users')
    .values({ domain, mailbox, network, noted_at: now })
    .onConflict((conflict) => conflict.columns(['domain', 'mailbox']).doNothing())
    .execute();
}

/** After a label of fraud, many people must use the domain again before it is trusted. */
async function forgetDomainUsers(trx: Database, { domain, test }: NotedSignup): Promise<void> {
  if (domain === null || test === 1) return;
  await trx.deleteFrom('domain_users').where('domain', '=', domain).execute();
}

/** Applies a label to the records of the domain of its decision. */
export async function noteLabel(
  trx: Database,
  signup: NotedSignup,
  { label, now }: { readonly label: 'legitimate' | 'fraud' | null; readonly now: number },
): Promise<void> {
  if (label === 'legitimate') await noteDomainUser(trx, signup, now);
  if (label === 'fraud') await forgetDomainUsers(trx, signup);
}
