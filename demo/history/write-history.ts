import { parseMailbox } from '../../src/addresses/email-address.ts';
import { type Attempt, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer, type Pseudonymize } from '../../src/assessment/identity.ts';
import type { Config, RouteConfig } from '../../src/config/config.ts';
import { openConfiguredJudge } from '../../src/configured-judge.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CurrentDatasets } from '../../src/datasets/datasets.ts';
import { createDecisionRecorder, type DecisionLine } from '../../src/decisions/decision-recorder.ts';
import { judgeAttempts } from '../../src/decisions/judge-attempts.ts';
import { createRequestId } from '../../src/http/request-id.ts';
import { membersPerKeyFor } from '../../src/processors/velocity/members-per-key.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { endVerification, type PastVerification } from './past-verification.ts';
import type { PastSignup } from './past-week.ts';

export interface HistoryDependencies {
  readonly config: Config;
  readonly records: Storage;
  readonly datasets: CurrentDatasets;
  readonly hashSecret: string;
  /** Receives every decision, oldest first. */
  readonly decided: DecisionLine;
}

/** As at the gate: `src/gate/decide-signup.ts`. */
const SCOPE = 'gate';
/** How many decisions are written in one transaction. */
const GROUP = 100;

/** Judges past signups in order of time, each at its own time, as the gate would have done, and stores the decisions. */
export async function writeHistory(
  signups: readonly PastSignup[],
  { config, records, datasets, hashSecret, decided }: HistoryDependencies,
): Promise<void> {
  const [route] = config.proxy?.routes ?? [];
  if (!route) throw new Error('demo/gatekeeper.yaml names no route');
  const log = createLogger({ level: 'error', format: 'auto' });
  const counters = createMemoryCounters({ membersPerKey: membersPerKeyFor(config.scoring.velocity) });
  const configured = openConfiguredJudge({ datasets, counters, log });
  const judge = configured.judgeFor(config);
  const { decisions, ledger } = records;
  const recorder = createDecisionRecorder({
    decisions,
    ledger,
    metrics: createMetrics().decisions,
    log,
    decisionLog: decided,
  });
  const pseudonymize = createPseudonymizer(hashSecret);
  const now = Date.now();
  await decisions.savePolicy(judge.policyRevision, judge.policy);
  for (let i = 0; i < signups.length; i += GROUP) {
    const group: Promise<unknown>[] = [];
    const held: PastVerification[] = [];
    for (const signup of signups.slice(i, i + GROUP)) {
      const attempt = toAttempt(signup, route, pseudonymize);
      const decision = await judgeAttempts([attempt], route, { judge, log });
      if (decision.action === 'verify') held.push({ attempt, confirms: signup.confirms });
      group.push(recorder.record(decision, config.privacy.store_plain));
    }
    await Promise.all(group);
    for (const one of held) await endVerification(one, { heldSignups: records.heldSignups, now });
  }
  configured.close();
}

function toAttempt(
  { at, email, ip, headers }: PastSignup,
  route: RouteConfig,
  pseudonymize: Pseudonymize,
): Attempt {
  const mailbox = parseMailbox(email);
  return createAttempt(
    {
      requestId: createRequestId(at),
      receivedAt: at,
      door: 'gate',
      scope: SCOPE,
      route: route.name,
      email: mailbox ? { mailbox } : { mailbox: null, problem: 'syntax' },
      ip,
      userAgent: headers.find(([name]) => name === 'user-agent')?.[1] ?? null,
      headers,
    },
    pseudonymize,
  );
}
