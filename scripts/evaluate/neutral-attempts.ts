import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type Attempt, type AttemptFacts, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import type { Cohorts } from '../../src/counters/cohorts/cohort.ts';
import type { Datasets } from '../../src/datasets/datasets.ts';

/** A person at home in the United States. */
const HOME_ADDRESS = '73.63.0.10';
const LOCAL_PART = 'maria.fischer';
const MAILBOX = `${LOCAL_PART}@gmail.com`;

/**
 * What a site finds at its first signup, which every neutral attempt is. To make a real site for each takes 115 KB of
 * memory, and a third of the time of the evaluation.
 */
export const FIRST_SIGNUPS: Cohorts = {
  observe: () => ({ surge: null, usual: null, counted: { signup: 0, mailbox: 0 } }),
  takeBack() {},
};

/** Makes attempts that differ from an unsuspicious one in nothing but what is under test. */
export interface NeutralAttempts {
  attempt(facts: Partial<AttemptFacts>): Attempt;
  /** Null when the text cannot be a domain of a mailbox: a bare public suffix, for example. */
  withDomain(domain: string): Attempt | null;
  withIp(text: string): Attempt | null;
  withUserAgent(userAgent: string): Attempt;
}

export function createNeutralAttempts(datasets: Datasets, now: number): NeutralAttempts {
  const pseudonymize = createPseudonymizer('evaluation: nothing is kept');
  const mailbox = readable(parseMailbox(MAILBOX));
  const ip = readable(parseIpAddress(HOME_ADDRESS));
  const chrome = datasets.device.browsers.get('chrome')?.versions.at(-1) ?? 0;
  const userAgent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chrome}.0.0.0 Safari/537.36`;
  let made = 0;

  function attempt(facts: Partial<AttemptFacts>): Attempt {
    made += 1;
    return createAttempt(
      {
        requestId: `evaluation-${made}`,
        receivedAt: now,
        door: 'cli',
        // A scope of its own for each, so that velocity sees strangers and not a campaign.
        scope: `evaluation-${made}`,
        route: null,
        email: { mailbox },
        ip,
        userAgent,
        headers: null,
        ...facts,
      },
      pseudonymize,
    );
  }

  return {
    attempt,
    withDomain(domain) {
      const address = parseMailbox(`${LOCAL_PART}@${domain}`);
      return address && attempt({ email: { mailbox: address } });
    },
    withIp(text) {
      const address = parseIpAddress(text);
      return address && attempt({ ip: address });
    },
    withUserAgent: (text) => attempt({ userAgent: text }),
  };
}

function readable<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The neutral attempt of the evaluation cannot be read.');
  return value;
}

/** Throws when the unsuspicious attempt is not: every rate would be wrong then. */
export async function proveNeutral(judge: Judge, attempts: NeutralAttempts): Promise<void> {
  const { factors, riskLevel } = await judge.judge(attempts.attempt({}));
  const suspected = factors.filter((factor) => factor.riskLevel !== 'low' || factor.state !== 'evaluated');
  if (riskLevel === 'low' && suspected.length === 0) return;
  const why = suspected.map(({ factor, reason }) => `${factor}: ${reason.code}`).join(', ');
  throw new Error(`The attempt that the evaluation varies is itself suspected (${why}).`);
}
