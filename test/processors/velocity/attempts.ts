import { parseMailbox } from '../../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../../src/addresses/ip-address.ts';
import { type Attempt, createAttempt } from '../../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../../src/assessment/identity.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const pseudonymize = createPseudonymizer('a secret for tests only');

export interface Signup {
  /** Null: the gate found none. */
  readonly email: string | null;
  readonly ip: string;
  readonly at: number;
  readonly userAgent?: string | null;
  readonly scope?: string;
  /** The mistyped address that this one replaces. */
  readonly corrects?: string;
}

/** One attempt as a door would make it. */
export function attemptOf({ email, ip, at, userAgent = CHROME, scope = 'gate', corrects }: Signup): Attempt {
  const address = parseIpAddress(ip);
  const mailbox = email === null ? null : parseMailbox(email);
  if (!address) throw new Error(`${ip} is no address`);
  if (email !== null && !mailbox) throw new Error(`${email} is no mailbox`);
  return createAttempt(
    {
      requestId: '00000000-0000-4000-8000-000000000000',
      receivedAt: at,
      door: 'gate',
      scope,
      route: 'web',
      email: mailbox ? { mailbox } : { mailbox: null, problem: 'missing' },
      corrects: corrects === undefined ? null : parseMailbox(corrects),
      ip: address,
      userAgent,
      headers: null,
    },
    pseudonymize,
  );
}
