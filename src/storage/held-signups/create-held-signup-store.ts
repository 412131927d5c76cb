import { type Selectable, sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { MAILS_LOCK } from '../locks.ts';
import { deleteExpiredHeldSignups } from './delete-expired-held-signups.ts';
import { dropSealed, releaseClaim } from './drop-sealed.ts';
import { labelAsFraud, setOutcome, setVerified } from './held-signup-decisions.ts';
import type { HeldSignupStatus, HeldSignupStore, SealedSignup } from './held-signup-store.ts';
import type { HeldSignupsTable } from './held-signup-tables.ts';
import { holdSignup, takeBackSignup } from './hold-signup.ts';
import { budgetWaits, countMail, longestWaitMs } from './mail-budgets.ts';
import { createQueuedMails } from './queued-mails.ts';
import { createSpentBudgets } from './spent-budgets.ts';
import { claimToCorrect, noteCorrection, readCorrections } from './suggestions.ts';
import { takeVerifiedPass } from './verified-passes.ts';

const SEALED = ['request_id', 'key_id', 'sealed'] as const;
const STATUS = [
  'held_signups.request_id as request_id',
  'link_token',
  'state',
  'domain',
  'expires_at',
  'code_expires_at',
  'key_id',
  'tries',
  'mails',
  'mailed_at',
  'mail_state',
  'browser',
  'system',
  'country',
  'created_at',
] as const;

export function createHeldSignupStore(engine: StorageEngine): HeldSignupStore {
  const { db, transact, lock } = engine;
  const spent = createSpentBudgets();
  return {
    hold: (signup, bounds) => holdSignup(engine, signup, { ...bounds, spent }),

    takeBack: (signup) => takeBackSignup(engine, signup),

    async find(tokenSha256, now) {
      const row = await db
        .selectFrom('held_signups')
        .leftJoin('suggested_addresses', 'suggested_addresses.request_id', 'held_signups.request_id')
        .select([...STATUS, 'suggested_addresses.sealed as suggestion'])
        .where((where) =>
          where.or([where('page_token', '=', tokenSha256), where('link_token', '=', tokenSha256)]),
        )
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? toStatus(row, tokenSha256) : null;
    },

    tryCode: ({ requestId, codeHash, maxTries, now, passTokenSha256 }) =>
      transact(async (trx) => {
        const isRight = sql<boolean>`code = ${codeHash}`;
        const row = await trx
          .updateTable('held_signups')
          .set({
            tries: sql`tries + CASE WHEN ${isRight} THEN 0 ELSE 1 END`,
            state: sql`CASE WHEN ${isRight} THEN 'claimed' WHEN tries + 1 >= ${maxTries} THEN 'locked' ELSE state END`,
            verified_at: sql`CASE WHEN ${isRight} THEN ${now} ELSE verified_at END`,
            pass_token: sql`CASE WHEN ${isRight} THEN ${passTokenSha256} ELSE pass_token END`,
          })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('expires_at', '>', now)
          .where('code_expires_at', '>', now)
          .returning([...SEALED, 'state', 'tries'])
          .executeTakeFirst();
        if (!row) return { kind: 'closed' };
        if (row.state === 'claimed') {
          await setVerified(trx, requestId, now);
          return { kind: 'claimed', signup: toSealed(row) };
        }
        if (row.state === 'waiting') return { kind: 'wrong', triesLeft: maxTries - row.tries };
        await dropSealed(trx, requestId);
        await setOutcome(trx, requestId, 'locked', now);
        return { kind: 'locked' };
      }),

    claim: ({ requestId, now, passTokenSha256 }) =>
      transact(async (trx) => {
        const row = await trx
          .updateTable('held_signups')
          .set({ state: 'claimed', verified_at: now, pass_token: passTokenSha256 })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('expires_at', '>', now)
          .returning(SEALED)
          .executeTakeFirst();
        if (!row) return null;
        await setVerified(trx, requestId, now);
        return toSealed(row);
      }),

    report: (requestId, now) =>
      transact(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('held_signups')
          .set({ state: 'reported' })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await dropSealed(trx, requestId);
        await setOutcome(trx, requestId, 'reported', now);
        await labelAsFraud(trx, requestId, now);
        return true;
      }),

    claimToCorrect: (claim) => transact((trx) => claimToCorrect(trx, claim)),

    finishCorrected: (corrected) =>
      transact(async (trx) => {
        await trx
          .updateTable('held_signups')
          .set({ state: 'done' })
          .where('request_id', '=', corrected.requestId)
          .execute();
        await dropSealed(trx, corrected.requestId);
        await noteCorrection(trx, corrected);
      }),

    correctionsOf: (requestId) => readCorrections(db, requestId),

    async finish(requestId) {
      await transact(async (trx) => {
        await trx
          .updateTable('held_signups')
          .set({ state: 'done' })
          .where('request_id', '=', requestId)
          .execute();
        await dropSealed(trx, requestId);
      });
    },

    async release(claim, to) {
      await transact((trx) => releaseClaim(trx, claim, to));
    },

    renewMail: (renewal, budgets) =>
      transact(async (trx) => {
        await lock(trx, [MAILS_LOCK]);
        const { requestId, now } = renewal;
        const row = await trx
          .selectFrom('held_signups')
          .select(['state', 'expires_at', 'mails', 'mailed_at', 'mail_state', 'mail_mailbox', 'mail_origin'])
          .where('request_id', '=', requestId)
          .executeTakeFirst();
        if (row?.state !== 'waiting' || row.expires_at <= now) return { kind: 'closed' };
        if (row.mails >= renewal.maxMails) return { kind: 'no-more' };
        const soonest = row.mail_state === 'failed' ? now : row.mailed_at + renewal.waitMs;
        if (soonest > now) return { kind: 'too-soon', retryAfterMs: soonest - now };
        const keys = { mailbox: row.mail_mailbox, origin: row.mail_origin };
        const waitMs = longestWaitMs(await budgetWaits(trx, keys, budgets, now));
        if (waitMs > 0) return { kind: 'budget', retryAfterMs: waitMs };
        const renewed = await trx
          .updateTable('held_signups')
          .set({
            code: renewal.codeHash,
            code_expires_at: renewal.codeExpiresAt,
            mails: row.mails + 1,
            mailed_at: now,
            mail_state: 'queued',
          })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .returning(SEALED)
          .executeTakeFirst();
        // The lock keeps other renewals waiting. What ends a signup does not wait for it.
        if (!renewed) return { kind: 'closed' };
        await countMail(trx, keys, now);
        return { kind: 'renewed', signup: toSealed(renewed) };
      }),

    async markMail({ requestId, mailedAt, state, codeExpiresAt }) {
      await transact((trx) =>
        trx
          .updateTable('held_signups')
          .set({ mail_state: state, code_expires_at: codeExpiresAt })
          .where('request_id', '=', requestId)
          .where('mailed_at', '=', mailedAt)
          .execute(),
      );
    },

    ...createQueuedMails(engine),
    takePass: (pass) => takeVerifiedPass(engine, pass),
    deleteExpired: (times) => deleteExpiredHeldSignups(engine, times),
  };
}

function toSealed(row: {
  readonly request_id: string;
  readonly key_id: string;
  readonly sealed: string;
}): SealedSignup {
  return { requestId: row.request_id, keyId: row.key_id, sealed: row.sealed };
}

type StatusColumn = Exclude<(typeof STATUS)[number], `${string}.${string}`> | 'request_id';

function toStatus(
  row: Pick<Selectable<HeldSignupsTable>, StatusColumn> & { readonly suggestion: string | null },
  tokenSha256: string,
): HeldSignupStatus {
  return {
    requestId: row.request_id,
    by: row.link_token === tokenSha256 ? 'link' : 'page',
    state: row.state,
    domain: row.domain,
    sender: { browser: row.browser, system: row.system, country: row.country },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    codeExpiresAt: row.code_expires_at,
    keyId: row.key_id,
    sealedSuggestion: row.suggestion,
    tries: row.tries,
    mails: row.mails,
    mailedAt: row.mailed_at,
    mailState: row.mail_state,
  };
}
