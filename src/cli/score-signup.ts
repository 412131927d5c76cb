import { randomBytes, randomUUID } from 'node:crypto';
import { parseMailbox } from '../addresses/email-address.ts';
import { parseIpAddress } from '../addresses/ip-address.ts';
import { createAttempt } from '../assessment/attempt.ts';
import { type Explanation, explain } from '../assessment/explain.ts';
import { createPseudonymizer } from '../assessment/identity.ts';
import type { Judgement } from '../assessment/judge.ts';
import { openConfiguredJudge } from '../configured-judge.ts';
import { createMemoryCounters } from '../counters/memory-counters.ts';
import { MAX_USER_AGENT_CHARACTERS } from '../http/request-head.ts';
import { openConfiguredDatasets } from '../signup-file/open-offline-judge.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { loadEffective } from './load-config.ts';

export interface ScoreOptions extends WithConfig {
  readonly email: string;
  readonly ip: string;
  readonly userAgent?: string;
  readonly json?: boolean;
}

/**
 * `gatekeeper score`: judges one attempt as the first attempt at the API, and explains the result. It does not store or
 * count the attempt, so it can run beside a server.
 */
export async function scoreSignup(options: ScoreOptions, context: CommandContext): Promise<ExitCode> {
  const mailbox = parseMailbox(options.email);
  const ip = parseIpAddress(options.ip);
  if (!mailbox) context.writeError('--email is not an email address.\n');
  if (!ip) context.writeError('--ip is not an IP address.\n');
  const { userAgent = '' } = options;
  const isTooLong = [...userAgent].length > MAX_USER_AGENT_CHARACTERS;
  if (isTooLong) context.writeError(`--user-agent has more than ${MAX_USER_AGENT_CHARACTERS} characters.\n`);
  if (!mailbox || !ip || isTooLong) return 1;
  const { config } = loadEffective(options.config, context);
  const datasets = await openConfiguredDatasets(config);
  const counters = createMemoryCounters();
  const log = {
    warn: (facts: object, message: string) => context.writeError(`${message} ${JSON.stringify(facts)}\n`),
  };
  const configuredJudge = openConfiguredJudge({ datasets, counters, log });
  try {
    const judge = configuredJudge.judgeFor(config);
    const attempt = createAttempt(
      {
        requestId: randomUUID(),
        receivedAt: Date.now(),
        door: 'cli',
        scope: 'cli',
        route: null,
        email: { mailbox },
        ip,
        userAgent: userAgent.trim() || null,
        headers: null,
      },
      createPseudonymizer(randomBytes(32).toString('hex')),
    );
    const judgement = await judge.judge(attempt);
    const explanation = explain(judgement.examinations, judgement.lists, judge.policy);
    context.write(
      options.json ? asJson(judgement, explanation) : asTable(judgement, explanation, context.hasColour),
    );
    return 0;
  } finally {
    configuredJudge.close();
    datasets.close();
    await counters.close();
  }
}

function asJson({ degraded, policyRevision, dataRevision }: Judgement, explanation: Explanation): string {
  const document = { ...explanation, degraded, policy_revision: policyRevision, data_revision: dataRevision };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const COLOURS = { low: '\x1b[32m', medium: '\x1b[33m', high: '\x1b[31m' } as const;

function asTable({ degraded }: Judgement, explanation: Explanation, hasColour: boolean): string {
  const { trust_score, risk_level, factors, mean, caps, counterfactual } = explanation;
  const paint = (text: string, level: keyof typeof COLOURS) =>
    hasColour ? `${COLOURS[level]}${text}\x1b[0m` : text;
  const lines = [`Trust score ${paint(`${trust_score}, ${risk_level} risk`, risk_level)}`, ''];
  for (const { factor, state, score, weight, risk_level, findings } of factors) {
    const share = state === 'not_evaluated' ? 'not evaluated' : `${Math.round(weight * 100)} % of the mean`;
    lines.push(`${factor.padEnd(12)} ${paint(String(score).padStart(3), risk_level)}   ${share}`);
    for (const { code, points, description, evidence } of findings) {
      const taken = points > 0 ? `-${points}` : '';
      const because = evidence === null ? '' : ` (${evidence})`;
      lines.push(`  ${taken.padStart(4)}  ${code}: ${description}${because}`);
    }
  }
  lines.push(
    '',
    mean === null ? 'No factor could be evaluated.' : `Mean of the factors by weight: ${round(mean)}`,
  );
  for (const { cap, limit, because } of caps) {
    lines.push(`Capped at ${limit} by ${cap}: ${because.join(', ')}`);
  }
  for (const { without, trust_score, risk_level } of counterfactual) {
    lines.push(`Without ${without}: ${trust_score}, ${risk_level} risk`);
  }
  if (degraded) lines.push('A factor was not fully evaluated: see *_not_evaluated above.');
  return `${lines.join('\n')}\n`;
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}
