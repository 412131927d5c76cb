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
import { createOwnPasswordProblem } from './own-password.ts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { createSelfService, type SelfService } from './self-service.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';
import { createSecondStep, type SecondStep } from './two-factor/second-step.ts';
import { createTakeCode } from './two-factor/take-code.ts';
import { createTwoFactorSecrets } from './two-factor/two-factor-secrets.ts';
import { createTwoFactorSettings, type TwoFactorSettings } from './two-factor/two-factor-settings.ts';
import { createUserSessions, type UserSessions } from './user-sessions.ts';

/**
 * Users, their passwords, sessions, links and mails. It does not depend on the pages of the dashboard. Its input is
 * plain values, and its errors are AccountError.
 */
export interface AccountService {
  readonly signIn: SignIn;
  readonly sessions: UserSessions;
  readonly links: LinkRedemption;
  readonly selfService: SelfService;
  readonly secondStep: SecondStep;
  readonly twoFactor: TwoFactorSettings;
  readonly passkeys: Passkeys;
  readonly mailSender: AccountMailSender;
  readonly administration: AccountAdministration;
}

export interface AccountServiceDependencies extends AccountMailDependencies {
  /** Counts wrong passwords and codes. */
  readonly counters: Pick<Counters, 'limitFailures'>;
  readonly records: Storage;
  /** The secret for the marks of known browsers. */
  readonly secret: string;
  /** Encrypts the secrets of second factors: 32 bytes as base64url. */
  readonly secondFactorKey: string;
  /** The current `dashboard.require_two_factor`. */
  readonly requiresTwoFactor: () => boolean;
  /** The names of the configured plans. */
  readonly plans: () => readonly string[];
  readonly clock: Clock;
}

export function createAccountService(dependencies: AccountServiceDependencies): AccountService {
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle(dependencies.counters, dependencies.clock);
  const sessions = createUserSessions(dependencies);
  const mailSender = createAccountMailSender(dependencies);
  const secrets = createTwoFactorSecrets(dependencies.secondFactorKey);
  const takeCode = createTakeCode({ ...dependencies, secrets, throttle });
  const secondStep = createSecondStep({ ...dependencies, sessions, takeCode });
  const ownPasswordProblem = createOwnPasswordProblem({ ...dependencies, hasher, throttle });
  const shared = {
    ...dependencies,
    hasher,
    throttle,
    sessions,
    mailSender,
    secrets,
    takeCode,
    secondStep,
    ownPasswordProblem,
  };
  return {
    signIn: createSignIn(shared),
    sessions,
    links: createLinkRedemption(shared),
    selfService: createSelfService(shared),
    secondStep,
    twoFactor: createTwoFactorSettings(shared),
    passkeys: createPasskeys(shared),
    mailSender,
    administration: createAccountAdministration(dependencies),
  };
}
