import type { Clock } from '../clock.ts';
import type { Account, Role } from '../storage/accounts/account-store.ts';
import type { AuditAct, AuditDetail } from '../storage/audit/audit-log.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageConflictError } from '../storage/storage-error.ts';
import { type Actor, recordAct } from './account-audit.ts';
import { AccountError } from './account-error.ts';
import { createPasswordLink, linkLifetime } from './account-links.ts';
import { requirePlan } from './plan-limits.ts';
import { requireEmail } from './read-email.ts';

/**
 * Changes of accounts by operators, on the pages and on the command line. Each change goes to the audit log.
 *
 * Each throws AccountError: `invalid` for input, `conflict` when the state of the account does not allow the change.
 */
export interface AccountAdministration {
  /** Creates an account, and the link on which its owner chooses the first password. */
  invite(invitation: Invitation, actor: Actor): Promise<AccessLink>;
  /** Creates another link for an invited user who has not chosen a password yet. */
  inviteAgain(account: Account, actor: Actor): Promise<AccessLink>;
  createResetLink(account: Account, actor: Actor): Promise<AccessLink>;
  setRole(account: Account, role: string, actor: Actor): Promise<void>;
  setPlan(account: Account, plan: string, actor: Actor): Promise<void>;
  /**
   * @param keep The id of a session that does not end.
   * @returns how many sessions ended.
   */
  signOut(account: Account, actor: Actor, keep: string | null): Promise<number>;
  /** Ends sessions and revokes keys. Decisions and usage stay. */
  close(account: Account, actor: Actor): Promise<void>;
}

export interface Invitation {
  /** All three as typed. */
  readonly email: string;
  readonly role: string;
  readonly plan: string;
}

/** A link that opens an account: shown once, stored as a hash. */
export interface AccessLink {
  readonly url: string;
  readonly account: Account;
  readonly email: string;
  /** How long it works: `7 days`. */
  readonly lasts: string;
}

interface AdministrationDependencies {
  readonly records: Pick<Storage, 'accounts' | 'users' | 'sessions' | 'accountTokens' | 'audit'>;
  /** The names of the configured plans. */
  readonly plans: () => readonly string[];
  /** @throws AccountError when the URL is not known; called before anything is stored. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
}

const ROLES: readonly Role[] = ['operator', 'member'];

export function createAccountAdministration(parts: AdministrationDependencies): AccountAdministration {
  const { records, plans, publicUrl } = parts;

  const record = (actor: Actor, act: AuditAct, { name }: Account, detail: AuditDetail = {}) =>
    recordAct(parts, actor, { act, subject: name, detail });

  async function createLink(
    account: Account,
    kind: 'set-up' | 'password-reset',
    publicUrl: string,
  ): Promise<AccessLink> {
    const { id } = account;
    const email = requireOwner(account);
    const url = await createPasswordLink(records, { id, email }, { kind, publicUrl });
    return { url, account, email, lasts: linkLifetime(kind) };
  }

  return {
    async invite(invitation, actor) {
      const email = requireEmail(invitation.email).text;
      const role = requireRole(invitation.role);
      const { plan } = invitation;
      requirePlan(plan, plans());
      const url = publicUrl();
      const account = await refuseConflict(records.users.invite({ email, role, plan }));
      await record(actor, 'account.invited', account, { role, plan });
      return createLink(account, 'set-up', url);
    },

    async inviteAgain(account, actor) {
      requireOwner(account);
      const url = publicUrl();
      await record(actor, 'account.invited', account, { role: account.role, plan: account.plan });
      return createLink(account, 'set-up', url);
    },

    async createResetLink(account, actor) {
      requireOwner(account);
      const url = publicUrl();
      await record(actor, 'account.reset_link_made', account);
      return createLink(account, 'password-reset', url);
    },

    async setRole(account, text, actor) {
      const role = requireRole(text);
      if (role === account.role) return;
      await refuseConflict(records.users.setRole(account.id, role));
      await record(actor, 'account.role_set', account, { role });
    },

    async setPlan(account, plan, actor) {
      requirePlan(plan, plans());
      if (plan === account.plan) return;
      await records.accounts.setPlan(account.id, plan);
      await record(actor, 'account.plan_set', account, { plan, before: account.plan });
    },

    async signOut(account, actor, keep) {
      const sessions = await records.sessions.endAll(account.id, keep);
      if (sessions > 0) await record(actor, 'session.revoked', account, { sessions });
      return sessions;
    },

    async close(account, actor) {
      if (account.id === actor.accountId) {
        throw new AccountError(
          'conflict',
          'You cannot close your own account. Another operator can close it.',
        );
      }
      await refuseConflict(records.users.close(account.id));
      await record(actor, 'account.closed', account);
    },
  };
}

function requireRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (!role)
    throw new AccountError('invalid', `The role "${text}" does not exist. Roles: ${ROLES.join(', ')}.`);
  return role;
}

/** The email of the user who signs in to the account. */
function requireOwner({ email }: Account): string {
  if (email !== null) return email;
  throw new AccountError('conflict', 'This account has only API keys and no user.');
}

async function refuseConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageConflictError ? new AccountError('conflict', error.message) : error;
  }
}
