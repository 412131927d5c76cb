import type { Selectable } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { ReviewableSignup, ReviewRecord } from './review-store.ts';

/** The columns of a held signup that its reviewer sees. */
export const REVIEW_COLUMNS = [
  'request_id',
  'state',
  'domain',
  'network',
  'browser',
  'system',
  'country',
  'created_at',
  'expires_at',
  'key_id',
  'mails',
  'mail_state',
] as const;

type ReviewRow = Pick<Selectable<StorageSchema['held_signups']>, (typeof REVIEW_COLUMNS)[number]>;

export function toReviewable(row: ReviewRow, decisionId: string): ReviewableSignup {
  return {
    requestId: row.request_id,
    decisionId,
    state: row.state,
    domain: row.domain,
    network: row.network,
    sender: { browser: row.browser, system: row.system, country: row.country },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    keyId: row.key_id,
    mails: row.mails,
    mailState: row.mail_state,
  };
}

export function toReviewRecord(row: Selectable<StorageSchema['signup_reviews']>): ReviewRecord {
  return {
    requestId: row.request_id,
    decisionId: row.decision_id,
    act: row.act,
    was: row.was,
    actorId: row.actor_id,
    reviewedAt: row.reviewed_at,
    result: row.result,
    status: row.status,
  };
}
