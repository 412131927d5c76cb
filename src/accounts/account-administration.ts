import type { Clock } from '../clock.ts';
import { type Account, ROLES, type Role } from '../storage/accounts/account-store.ts';
import type { AuditAct, AuditDetail } from '../storage/audit/audit-log.ts';
import type { ActRecords, Storage } from '../storage/storage.ts';
import { StorageConflictError } from '../storage/storage-error.ts';
import { type Actor, recordAct } from './account-audit.ts';
import { AccountError } from './account-error.ts';
import { createPasswordLink, linkLifetime } from './account-links.ts';
import { requirePlan } from './plan-limits.ts';
import { requireEmail } from './read-email.ts';

/**
 * How operators change accounts, on the pages and on the command line. Each change is written to the audit log. Each
 * function throws AccountError: `invalid` for wrong input, `conflict` when the state of the account does not allow the
 * change.
 */
export interface AccountAdministration {
  /** Creates an account, and the link on which its owner chooses the first password. */
  invite(invitation: Invitation, actor: Actor): Promise<AccessLink>;
  /** Creates another link for an invited user who has not chosen a password yet. */
  inviteAgain(account: Account, actor: Actor): Promise<AccessLink>;
  /** Makes the links of the invitation invalid. */
  withdraw(account: Account, actor: Actor): Promise<void>;
  createResetLink(account: Account, actor: Actor): Promise<AccessLink>;
  setRole(account: Account, role: string, actor: Actor): Promise<void>;
  setPlan(account: Account, plan: string, actor: Actor): Promise<void>;
  /**
   * @param keep The id of a session that does not end.
   * @returns how many sessions ended.
   */
  signOut(account: Account, actor: Actor, keep: string | null): Promise<number>;
  /**
   * For a user who lost the device: removes the second factor and the passkeys. Ends all sessions, because another
   * person may have the device.
   */
  removeTwoFactor(account: Account, actor: Actor): Promise<void>;
  /** Ends sessions and revokes keys. Decisions and usage stay. */
  close(account: Account, actor: Actor): Promise<void>;
}

export interface Invitation {
  /** The email, the name and the role as typed. */
  readonly email: string;
  readonly role: string;
  readonly plan: string;
}

/** A link that opens an account. It is shown once and stored as a hash. */
export interface AccessLink {
  readonly url: string;
  readonly account: Account;
  readonly email: string;
  /** The lifetime of the link in words: `7 days`. */
  readonly lasts: string;
}

interface AdministrationDependencies {
  readonly records: Pick<Storage, 'act'>;
  /** The names of the configured plans. */
  readonly plans: () => readonly string[];
  /** @throws AccountError when the URL is not known. Call it before anything is stored. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
}

export function createAccountAdministration(dependencies: AdministrationDependencies): AccountAdministration {
  const { plans, publicUrl, clock } = dependencies;
  const { act } = dependencies.records;

  const record = (
    records: ActRecords,
    actor: Actor,
    { act, account, detail = {} }: { act: AuditAct; account: Account; detail?: AuditDetail },
  ) => recordAct({ records, clock }, actor, { act, subject: account.name, detail });

  async function createLink(
    records: ActRecords,
    account: Account,
    { kind, publicUrl }: { readonly kind: 'set-up' | 'password-reset'; readonly publicUrl: string },
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
      return refuseConflict(
        act(async (records) => {
          const account = await records.users.invite({ email, role, plan }, actor.accountId);
          await record(records, actor, { act: 'account.invited', account, detail: { role, plan } });
          return createLink(records, account, { kind: 'set-up', publicUrl: url });
        }),
      );
    },

    async inviteAgain(account, actor) {
      requireOwner(account);
      const url = publicUrl();
      const { role, plan } = account;
      return refuseConflict(
        act(async (records) => {
          await record(records, actor, { act: 'account.invited', account, detail: { role, plan } });
          return createLink(records, account, { kind: 'set-up', publicUrl: url });
        }),
      );
    },

    async withdraw(account, actor) {
      await act(async (records) => {
        if (!(await records.users.withdraw(account.id))) {
          throw new AccountError('conflict', 'This user has chosen a password. Close the account instead.');
        }
        await record(records, actor, { act: 'account.invitation_withdrawn', account });
      });
    },

    async createResetLink(account, actor) {
      requireOwner(account);
      const url = publicUrl();
      return refuseConflict(
        act(async (records) => {
          await record(records, actor, { act: 'account.reset_link_made', account });
          return createLink(records, account, { kind: 'password-reset', publicUrl: url });
        }),
      );
    },

    async setRole(account, text, actor) {
      const role = requireRole(text);
      if (role === account.role) return;
      await refuseConflict(
        act(async (records) => {
          await records.users.setRole(account.id, role);
          await record(records, actor, { act: 'account.role_set', account, detail: { role } });
        }),
      );
    },

    async setPlan(account, plan, actor) {
      requirePlan(plan, plans());
      if (plan === account.plan) return;
      const detail = { plan, before: account.plan };
      await act(async (records) => {
        await records.accounts.setPlan(account.id, plan);
        await record(records, actor, { act: 'account.plan_set', account, detail });
      });
    },

    signOut: (account, actor, keep) =>
      act(async (records) => {
        const sessions = await records.sessions.endAll(account.id, keep);
        if (sessions > 0) {
          await record(records, actor, { act: 'session.revoked', account, detail: { sessions } });
        }
        return sessions;
      }),

    async removeTwoFactor(account, actor) {
      if (account.id === actor.accountId) {
        throw new AccountError(
          'conflict',
          'Turn your own two-factor off on the page of your account: it asks for your password and a code.',
        );
      }
      await act(async (records) => {
        const isOff = await records.twoFactor.turnOff(account.id);
        const passkeys = await records.passkeys.removeAll(account.id);
        if (!isOff && passkeys === 0) throw new AccountError('conflict', 'This user has no second factor.');
        await records.sessions.endAll(account.id, null);
        await record(records, actor, { act: 'two_factor.removed', account, detail: { passkeys } });
      });
    },

    async close(account, actor) {
      if (account.id === actor.accountId) {
        throw new AccountError(
          'conflict',
          'You cannot close your own account. Another operator can close it.',
        );
      }
      await refuseConflict(
        act(async (records) => {
          await records.users.close(account.id);
          await record(records, actor, { act: 'account.closed', account });
        }),
      );
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
