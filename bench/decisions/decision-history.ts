import { createRandom, pick, type Random } from '../../scripts/random.ts';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import type { Datasets } from '../../src/datasets/datasets.ts';
import { createRequestId } from '../../src/http/request-id.ts';
import type { DecisionRecord } from '../../src/storage/decisions/decision-record.ts';
import { createSignups, type Signup } from '../signups.ts';

const SEED = 97;
const ROUTES = ['web', 'mobile', 'invited'];
const ACTIONS = { low: 'forward', medium: 'verify', high: 'block' } as const;
/** Two percent belong to an attack: numbered mailboxes from a few networks. */
const ATTACK_PERCENT = 2;
const ATTACKED_DOMAINS = ['gmail.com', 'outlook.com', 'cheap-mails.net'];
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface HistoryOptions {
  readonly judge: Judge;
  readonly datasets: Datasets;
  /** Half of all come from the gate, the others from these. */
  readonly keys: readonly { readonly accountId: string; readonly keyId: string }[];
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The stored decisions of a busy site: real judgements of generated signups, evenly distributed over the time, oldest
 * first.
 */
export async function* createDecisionHistory(options: HistoryOptions): AsyncGenerator<DecisionRecord> {
  const { judge, datasets, keys, count, from, to } = options;
  const random = createRandom(SEED);
  const nextHonest = createSignups(datasets, SEED);
  const pseudonymize = createPseudonymizer('the secret of a benchmark');
  for (let made = 0; made < count; made++) {
    const signup = random(100) < ATTACK_PERCENT ? attackSignup(made, random) : nextHonest();
    const owner = random(2) === 0 ? null : pick(keys, random);
    const receivedAt = Math.floor(from + ((to - from) * made) / count);
    const judgement = await judge.judge(
      createAttempt(
        {
          requestId: createRequestId(receivedAt),
          receivedAt,
          door: owner ? 'api' : 'gate',
          scope: owner?.accountId ?? 'gate',
          route: owner ? null : pick(ROUTES, random),
          email: { mailbox: required(parseMailbox(signup.email), signup) },
          ip: required(parseIpAddress(signup.ip_address), signup),
          userAgent: signup.user_agent,
          headers: null,
        },
        pseudonymize,
      ),
    );
    const { attempt, trustScore, riskLevel, degraded, examinations, lists, elapsedMs } = judgement;
    const { requestId, door, scope, route, identity } = attempt;
    yield {
      requestId,
      processedAt: receivedAt,
      door,
      scope,
      route,
      identity,
      accountId: owner?.accountId ?? null,
      keyId: owner?.keyId ?? null,
      test: false,
      trustScore,
      riskLevel,
      degraded,
      examinations,
      lists,
      elapsedMs,
      plain: null,
      action: owner ? null : ACTIONS[riskLevel],
      wantedAction: owner ? null : ACTIONS[riskLevel],
      mode: owner ? null : 'enforce',
      policyRevision: judgement.policyRevision,
      dataRevision: judgement.dataRevision,
    };
  }
}

/** A campaign lasts for some 20,000 signups of the site and then continues from other networks. */
function attackSignup(made: number, random: Random): Signup {
  const campaign = Math.floor(made / 20_000);
  const name = `promo${String.fromCharCode(97 + (campaign % 26))}`;
  return {
    email: `${name}${1_000 + random(9_000)}@${ATTACKED_DOMAINS[campaign % 3]}`,
    ip_address: `185.${campaign % 200}.${random(3)}.${1 + random(250)}`,
    user_agent: BROWSER,
  };
}

function required<T>(value: T | null, signup: Signup): T {
  if (value === null) throw new Error(`a signup of the benchmark cannot be read: ${JSON.stringify(signup)}`);
  return value;
}
