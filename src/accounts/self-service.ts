import type { Clock } from '../clock.ts';
import type { ActRecords, Storage } from '../storage/storage.ts';
import { recordAct } from './account-audit.ts';
import { AccountError, CHANGED_MEANWHILE } from './account-error.ts';
import type { AccountMailSender } from './account-mail-sender.ts';
import { type KnownBrowser, rememberBrowser } from './known-browser.ts';
import type { OwnPasswordProblem, SignedInUser } from './own-password.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { passwordProblem } from './password-rules.ts';
import { EMAIL_MISTAKE, readEmail } from './read-email.ts';
import type { Client } from './user-sessions.ts';

export interface PasswordChangeProblems {
  readonly current?: string | undefined;
  readonly next?: string | undefined;
}

export interface EmailChangeProblems {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

type Outcome<Done, Problems> =
  | ({ readonly done: true } & Done)
  | { readonly done: false; readonly problems: Problems };

/**
 * Changes that users make to their own account. A change of the password or the email needs the password.
 *
 * Functions that take a password throw AccountError `too_many_attempts`, `too_long`, `busy`.
 */
export interface SelfService {
  /**
   * Ends all other sessions. The new password voids the browser's cookie, so the browser gets the new `knownBrowser`.
   */
  changePassword(
    user: SignedInUser,
    passwords: { readonly current: string; readonly next: string },
    client: Client,
  ): Promise<Outcome<{ readonly knownBrowser: KnownBrowser }, PasswordChangeProblems>>;
  /** Mails a link to the new mailbox. Nothing changes before the link is confirmed. */
  requestEmailChange(
    user: SignedInUser,
    input: { readonly email: string; readonly password: string },
    client: Client,
  ): Promise<Outcome<object, EmailChangeProblems>>;
  endSession(user: SignedInUser, id: string): Promise<void>;
  endOtherSessions(user: SignedInUser): Promise<void>;
}

interface SelfServiceDependencies {
  readonly records: Pick<Storage, 'accounts' | 'act'>;
  readonly secret: string;
  readonly hasher: PasswordHasher;
  readonly ownPasswordProblem: OwnPasswordProblem;
  readonly mailSender: AccountMailSender;
  readonly clock: Clock;
}

export function createSelfService(dependencies: SelfServiceDependencies): SelfService {
  const { records, secret, hasher, ownPasswordProblem, mailSender, clock } = dependencies;

  async function endSessions(
    user: SignedInUser,
    end: (sessions: ActRecords['sessions']) => Promise<boolean | number>,
  ): Promise<void> {
    await records.act(async (records) => {
      const sessions = Number(await end(records.sessions));
      if (sessions === 0) return;
      const entry = { act: 'session.revoked', subject: user.name, detail: { sessions } } as const;
      await recordAct({ records, clock }, user, entry);
    });
  }

  return {
    async changePassword(user, passwords, client) {
      const { accountId, sessionId, name, email } = user;
      const next = await passwordProblem(passwords.next, email);
      const current = await ownPasswordProblem(user, passwords.current, client);
      if (next !== undefined || current !== undefined) return { done: false, problems: { current, next } };
      const password = await hasher.hash(passwords.next);
      await records.act(async (records) => {
        await records.users.changePassword({ accountId, password, keepSession: sessionId });
        // Runs under the lock of `changePassword`. While this one was computed, another password may have been chosen.
        if (!(await records.sessions.find(sessionId))) throw new AccountError('conflict', CHANGED_MEANWHILE);
        await recordAct({ records, clock }, user, { act: 'account.password_set', subject: name });
      });
      const account = await records.accounts.find(accountId);
      if (!account) throw new AccountError('conflict', 'The account is closed.');
      return { done: true, knownBrowser: rememberBrowser(client.knownBrowser, account, secret) };
    },

    async requestEmailChange(user, input, client) {
      const email = readEmail(input.email);
      const { accountId } = user;
      const account = await records.accounts.find(accountId);
      if (!account) throw new AccountError('conflict', 'The account is closed.');
      const password = await ownPasswordProblem(user, input.password, client);
      if (!email || password !== undefined) {
        return { done: false, problems: { email: email ? undefined : EMAIL_MISTAKE, password } };
      }
      const { passwordChangedAt } = account;
      const { ip, language } = client;
      mailSender.changeEmail({ accountId, passwordChangedAt, email, ip, language });
      return { done: true };
    },

    async endSession(user, id) {
      await endSessions(user, (sessions) => sessions.end(id, user.accountId));
    },
    async endOtherSessions(user) {
      await endSessions(user, (sessions) => sessions.endAll(user.accountId, user.sessionId));
    },
  };
}
