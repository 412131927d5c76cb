import type { Attempt } from '../../src/assessment/attempt.ts';
import { createJudge, type Judge } from '../../src/assessment/judge.ts';
import { type ListEntry, parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import type { Examination, Processor } from '../../src/assessment/processor.ts';
import { FACTORS } from '../../src/assessment/reasons.ts';
import { DEFAULT_POLICY, examination, examinations } from '../helpers/examinations.ts';
import type { GateServerOptions } from './gate-server.ts';

/** `medium@` scores 53, `high@` and a signup without a mailbox 20, any other 92. */
export function createConstantJudge(options: GateServerOptions, judged: Attempt[]): Judge {
  const clean = examinations();
  const processors = FACTORS.map((factor): Processor => {
    return {
      factor,
      examine(attempt) {
        if (factor === 'email') judged.push(attempt);
        if (options.examine) return options.examine(factor, attempt);
        const name = attempt.email.mailbox?.localPart;
        if (factor === 'email' && (name === undefined || name === 'high')) {
          return examination('personal_email', 'invalid_email');
        }
        if (factor === 'email' && name === 'medium') return { ...examination('personal_email'), base: 0 };
        return clean[factor] as Examination;
      },
    };
  });
  return createJudge({
    processors,
    policy: DEFAULT_POLICY,
    configuredRevision: 'policy-1',
    lists: compileLists({ allow: [], deny: entries(options.deny ?? []) }, () => ({
      asn: null,
      country: null,
    })),
    data: { current: { revision: 'data-1' } },
    deadlineMs: 250,
    now: () => performance.now(),
    onFailure: () => {},
  });
}

function entries(texts: readonly string[]): readonly ListEntry[] {
  return texts.flatMap((text) => parseListEntry(text) ?? []);
}
