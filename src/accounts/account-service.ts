import type { Clock } from '../clock.ts';
import type { Counters } from '../counters/counters.ts';
import type { Storage } from '../storage/storage.ts';
import { type AccountAdministration, createAccountAdministration } from './account-administration.ts';
import {
  type AccountMailDependencies,
  type AccountMailSender,
  createAccountMailSender,
} from './account-mail-sender.ts';
import { createLinkRedemption, type LinkRedemption } from './link-redemption.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { createSelfService, type SelfService } from './self-service.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';
import { createUserSessions, type UserSessions } from './user-sessions.ts';

/**
 * Users, their passwords, sessions, links and mails. It does not depend on pages: it takes facts and throws
 * AccountError.
 */
export interface AccountService {
  readonly signIn: SignIn;
  readonly sessions: UserSessions;
  readonly links: LinkRedemption;
  readonly selfService: SelfService;
  readonly mailSender: AccountMailSender;
  readonly administration: AccountAdministration;
}

export interface AccountServiceDependencies extends AccountMailDependencies {
  /** Counts wrong passwords. */
  readonly counters: Pick<Counters, 'limitFailures'>;
  readonly records: Storage;
  /** The secret for the marks of known browsers. */
  readonly secret: string;
  /** The names of the configured plans. */
  readonly plans: () => readonly string[];
  readonly clock: Clock;
}

export function createAccountService(dependencies: AccountServiceDependencies): AccountService {
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle(dependencies.counters, dependencies.clock);
  const sessions = createUserSessions(dependencies);
  const mailSender = createAccountMailSender(dependencies);
  const shared = { ...dependencies, hasher, throttle, sessions, mailSender };
  return {
    signIn: createSignIn(shared),
    sessions,
    links: createLinkRedemption(shared),
    selfService: createSelfService(shared),
    mailSender,
    administration: createAccountAdministration(dependencies),
  };
}
