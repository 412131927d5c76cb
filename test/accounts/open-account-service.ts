import type { ExecutionContext } from 'ava';
import { type AccountService, createAccountService } from '../../src/accounts/account-service.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { type AccountRecords, openAccountRecords, PUBLIC_URL } from './open-account-records.ts';

export const PASSWORD = 'correct horse battery';

export interface OpenedService extends AccountRecords {
  readonly service: AccountService;
  /** Handed to the mail queue, oldest first. */
  readonly mails: readonly Mail[];
}

/** The account service as the dashboard has it, its mails kept instead of sent. */
export async function openAccountService(
  t: ExecutionContext,
  /** Read at each use: a test may change them. */
  settings: { publicUrl?: string; requiresTwoFactor?: boolean } = {},
): Promise<OpenedService> {
  const opened = await openAccountRecords(t);
  const mails: Mail[] = [];
  const service = createAccountService({
    counters: createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 8 }),
    records: opened.records,
    secret: 'a secret of the site',
    secondFactorKey: Buffer.alloc(32, 7).toString('base64url'),
    requiresTwoFactor: () => settings.requiresTwoFactor ?? false,
    plans: () => ['hobby', 'pro'],
    mails: { add: (mail) => void mails.push(mail) },
    mailBudgets: () => ({ mailbox: 5, origin: 20, site: 100 }),
    pseudonymize: createPseudonymizer('a key of thirty-two characters..'),
    publicUrl: () => settings.publicUrl ?? PUBLIC_URL,
    clock: () => opened.clock.now,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  return { ...opened, service, mails };
}
