import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type Attempt, type AttemptEmail, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';

const pseudonymize = createPseudonymizer('a secret of the tests');

/** A signup attempt with this address; without one, or one that is none, as the gate reads it. */
export function emailAttempt(address: string | null): Attempt {
  const mailbox = address === null ? null : parseMailbox(address);
  const email: AttemptEmail = mailbox
    ? { mailbox }
    : { mailbox: null, problem: address === null ? 'missing' : 'syntax' };
  const ip = parseIpAddress('198.51.100.7');
  if (!ip) throw new Error('not an address');
  return createAttempt(
    {
      requestId: '00000000-0000-4000-8000-000000000000',
      receivedAt: 0,
      door: 'gate',
      scope: 'gate',
      route: null,
      email,
      ip,
      userAgent: null,
      headers: null,
    },
    pseudonymize,
  );
}
