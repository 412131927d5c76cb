import { type Kysely, sql } from 'kysely';
import { insertAuditEntry } from '../audit/create-audit-log.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { sweepHeldSignups } from './delete-expired-held-signups.ts';
import { decisionsOf } from './held-signup-decisions.ts';
import { findFullRoom } from './held-signup-limits.ts';
import type { HeldSignupStatus, HeldSignups, SealedSignup } from './held-signup-store.ts';
import { countMail, retryAfterMs } from './mail-budgets.ts';
import { takeVerifiedPass } from './verified-passes.ts';

type Database = Kysely<StorageSchema>;

const SEALED = ['request_id', 'key_id', 'sealed'] as const;
const STATUS = [
  ...(['request_id', 'link_token', 'state', 'domain', 'expires_at', 'code_expires_at'] as const),
  ...(['key_id', 'tries', 'mails', 'mailed_at', 'mail_state'] as const),
  ...(['browser', 'system', 'country', 'created_at'] as const),
] as const;

export function createHeldSignups(engine: StorageEngine): HeldSignups {
  const { db, transact } = engine;
  return {
    hold: (signup, bounds) =>
      transact(async (trx) => {
        const waitMs = await retryAfterMs(trx, signup.budgetKeys, bounds.budgets, signup.createdAt);
        if (waitMs > 0) return { held: false, because: 'budget', retryAfterMs: waitMs };
        const full = await findFullRoom(trx, signup, bounds);
        if (full !== null) return { held: false, because: 'full', of: full };
        const { browser, system, country } = signup.sender;
        await trx
          .insertInto('held_signups')
          .values({
            ...{ request_id: signup.requestId, domain: signup.domain, mailbox: signup.mailbox },
            ...{ page_token: signup.pageTokenSha256, link_token: signup.linkTokenSha256 },
            ...{ mail_mailbox: signup.budgetKeys.mailbox, mail_origin: signup.budgetKeys.origin },
            ...{ network: signup.network, pass_network: signup.passNetwork, user_agent: signup.userAgent },
            ...{ pass_token: null, browser, system, country },
            ...{ created_at: signup.createdAt, expires_at: signup.expiresAt },
            ...{ state: 'waiting', verified_at: null, passed: 0 },
            ...{ code: signup.codeHash, code_expires_at: signup.codeExpiresAt, tries: 0 },
            ...{ mails: 1, mailed_at: signup.createdAt, mail_state: 'queued' },
            ...{ key_id: signup.keyId, size: signup.size, sealed: signup.seal() },
          })
          .execute();
        const { requestId, keptAs = requestId } = signup;
        if (keptAs !== requestId) {
          await trx
            .insertInto('folded_held_signups')
            .values({ request_id: requestId, kept_as: keptAs })
            .execute();
        }
        await countMail(trx, signup.budgetKeys, signup.createdAt);
        return { held: true };
      }),

    async find(tokenSha256, now) {
      const row = await db
        .selectFrom('held_signups')
        .select(STATUS)
        .where((where) =>
          where.or([where('page_token', '=', tokenSha256), where('link_token', '=', tokenSha256)]),
        )
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row
        ? ({
            ...{ requestId: row.request_id, by: row.link_token === tokenSha256 ? 'link' : 'page' },
            ...{ state: row.state, domain: row.domain, keyId: row.key_id, tries: row.tries },
            sender: { browser: row.browser, system: row.system, country: row.country },
            ...{ createdAt: row.created_at, expiresAt: row.expires_at, codeExpiresAt: row.code_expires_at },
            ...{ mails: row.mails, mailedAt: row.mailed_at, mailState: row.mail_state },
          } satisfies HeldSignupStatus)
        : null;
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
          await setOutcome(trx, requestId, 'verified');
          return { kind: 'claimed', signup: toSealed(row) };
        }
        if (row.state === 'waiting') return { kind: 'wrong', triesLeft: maxTries - row.tries };
        await forget(trx, requestId);
        await setOutcome(trx, requestId, 'locked');
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
        await setOutcome(trx, requestId, 'verified');
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
        await forget(trx, requestId);
        await setOutcome(trx, requestId, 'reported');
        await labelAsFraud(trx, requestId, now);
        return true;
      }),

    async finish(requestId) {
      await transact(async (trx) => {
        await trx
          .updateTable('held_signups')
          .set({ state: 'done' })
          .where('request_id', '=', requestId)
          .execute();
        await forget(trx, requestId);
      });
    },

    async release(requestId) {
      await transact((trx) =>
        trx
          .updateTable('held_signups')
          .set({ state: 'waiting', verified_at: null, pass_token: null })
          .where('request_id', '=', requestId)
          .where('state', '=', 'claimed')
          .execute(),
      );
    },

    renewMail: (renewal, budgets) =>
      transact(async (trx) => {
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
        const waitMs = await retryAfterMs(trx, keys, budgets, now);
        if (waitMs > 0) return { kind: 'budget', retryAfterMs: waitMs };
        const renewed = await trx
          .updateTable('held_signups')
          .set({
            ...{ code: renewal.codeHash, code_expires_at: renewal.codeExpiresAt },
            ...{ mails: row.mails + 1, mailed_at: now, mail_state: 'queued' },
          })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          // Of two that come at once, one: engines differ in whether the other has waited for this transaction.
          .where('mails', '=', row.mails)
          .returning(SEALED)
          .executeTakeFirst();
        if (!renewed) return { kind: 'too-soon', retryAfterMs: renewal.waitMs };
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

    takePass: (pass) => takeVerifiedPass(engine, pass),
    sweep: (times) => sweepHeldSignups(engine, times),
  };
}

/** The state of the decision as it turned out. What was verified once stays so. */
async function setOutcome(
  trx: Database,
  requestId: string,
  outcome: 'verified' | 'locked' | 'reported',
): Promise<void> {
  const [decision = requestId] = await decisionsOf(trx, [requestId]);
  await trx.updateTable('decisions').set({ outcome }).where('request_id', '=', decision).execute();
}

/** What an operator said before counts for more than the mailbox's owner, who sees this one signup alone. */
async function labelAsFraud(trx: Database, heldId: string, now: number): Promise<void> {
  const [requestId = heldId] = await decisionsOf(trx, [heldId]);
  const { numUpdatedRows } = await trx
    .updateTable('decisions')
    .set({ label: 'fraud' })
    .where('request_id', '=', requestId)
    .where('label', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await insertAuditEntry(trx, {
    ...{ at: now, actorId: null, actorName: 'the owner of the mailbox', act: 'decision.labelled' },
    ...{ subject: requestId, detail: { label: 'fraud' } },
  });
}

async function forget(trx: Database, requestId: string): Promise<void> {
  await trx
    .updateTable('held_signups')
    .set({ sealed: '', size: 0, code: '' })
    .where('request_id', '=', requestId)
    .execute();
}

function toSealed(row: {
  readonly request_id: string;
  readonly key_id: string;
  readonly sealed: string;
}): SealedSignup {
  return { requestId: row.request_id, keyId: row.key_id, sealed: row.sealed };
}
