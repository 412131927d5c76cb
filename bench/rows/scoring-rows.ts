import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Processor } from '../../src/assessment/processor.ts';
import type { Bench } from '../bench.ts';
import type { Row } from '../row.ts';
import { createSignups, type Signup } from '../signups.ts';
import { type Operation, timeOperation } from '../time-operation.ts';

const DISTINCT_SIGNUPS = 5_000;
const SEED = 4_711;
/** Twenty attempts a second: the windows move during the measurement. */
const STEP_MS = 50;

/** One complete scoring, from three texts to a judgement, and the share of its parts. */
export async function measureScoring(bench: Bench): Promise<readonly Row[]> {
  const { built, config, datasets } = bench;
  const start = Date.now();
  const next = createSignups(datasets.current, SEED);
  const signups = Array.from({ length: DISTINCT_SIGNUPS }, next);
  const pseudonymize = built.createPseudonymizer('a benchmark keeps nothing');

  const attemptOf = (signup: Signup, userAgent: string, round: number): Attempt => {
    const mailbox = built.parseMailbox(signup.email);
    const ip = built.parseIpAddress(signup.ip_address);
    if (!mailbox || !ip) throw new Error(`a signup of the benchmark cannot be read: ${signup.email}`);
    return built.createAttempt(
      {
        requestId: 'bench',
        receivedAt: start + round * STEP_MS,
        door: 'api',
        scope: 'bench',
        route: null,
        email: { mailbox },
        ip,
        userAgent,
        headers: null,
      },
      pseudonymize,
    );
  };
  const signupOf = cycle(signups);
  const attempts = signups.map((signup, round) => attemptOf(signup, signup.user_agent, round));
  const attemptAt = cycle(attempts);

  const openJudge = () =>
    built
      .openConfiguredJudge({ datasets, counters: built.createMemoryCounters(), log: console })
      .judgeFor(config);
  const judge = openJudge();
  const coldJudge = openJudge();
  const newProcessor = processorsOf(bench);

  return [
    await row(
      'one scoring, warm',
      (round) => judge.judge(attemptOf(signupOf(round), signupOf(round).user_agent, round)),
      { must: 30, aim: 12 },
    ),
    await row(
      'one scoring, with an unseen user agent',
      (round) =>
        coldJudge.judge(attemptOf(signupOf(round), unseen(signupOf(round).user_agent, round), round)),
      { must: 100, aim: 60 },
    ),
    await row('  an attempt made of its texts, with its pseudonyms', (round) =>
      attemptOf(signupOf(round), signupOf(round).user_agent, round),
    ),
    await row('  the judge alone, attempts made before', (round) => judge.judge(attemptAt(round))),
    await row('  Email Intelligence', examine(newProcessor.email(), attemptAt)),
    await row(
      '  Email Intelligence, with an unseen domain',
      examine(newProcessor.email(), (round) => withUnseenDomain(attemptAt(round), round, bench)),
    ),
    await row('  Network Analysis', examine(newProcessor.network(), attemptAt)),
    await row(
      '  Velocity Checks',
      examine(newProcessor.velocity(), (round) => ({
        ...attemptAt(round),
        receivedAt: start + round * STEP_MS,
      })),
    ),
    await row('  Device Fingerprint', examine(newProcessor.device(), attemptAt)),
    await row(
      '  Device Fingerprint, with an unseen user agent',
      examine(newProcessor.device(), (round) => {
        const attempt = attemptAt(round);
        return { ...attempt, userAgent: unseen(attempt.userAgent ?? '', round) };
      }),
    ),
  ];
}

/** Each with its own memory. */
function processorsOf({ built, config, datasets }: Bench) {
  const models = built.loadEmailModels(built.modelsFolder);
  return {
    email: () => built.createEmailProcessor({ datasets, models, dns: null }),
    network: () => built.createNetworkProcessor({ datasets }),
    velocity: () =>
      built.createVelocityProcessor({
        counters: built.createMemoryCounters(),
        datasets,
        limits: config.scoring.velocity,
      }),
    device: () => built.createDeviceProcessor({ datasets }),
  };
}

const examine =
  (processor: Processor, attemptAt: (round: number) => Attempt): Operation =>
  (round) =>
    processor.examine(attemptAt(round));

/** Another build of the same browser: it is not in any cache, and is parsed like any other. */
function unseen(userAgent: string, round: number): string {
  return `${userAgent} Build/${round}`;
}

function withUnseenDomain(attempt: Attempt, round: number, { built }: Bench): Attempt {
  const mailbox = built.parseMailbox(`maria.fischer@fischer-garden-${round}.de`);
  return mailbox ? { ...attempt, email: { mailbox } } : attempt;
}

function cycle<T>(items: readonly T[]): (round: number) => T {
  return (round) => {
    const item = items[round % items.length];
    if (item === undefined) throw new Error('there is nothing to go round');
    return item;
  };
}

async function row(
  name: string,
  operation: Operation,
  target?: { readonly must: number; readonly aim: number },
): Promise<Row> {
  const values = await timeOperation(operation);
  return { name, unit: 'µs', target: target ? { bound: 'at_most', ...target } : null, values, note: null };
}
