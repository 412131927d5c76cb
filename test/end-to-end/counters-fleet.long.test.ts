import test, { type ExecutionContext } from 'ava';
import { type Fleet, type Signup, startFleet } from '../helpers/fleet.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { countsTogether, signupOf } from './counters-outage.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
const SETTLED_WITHIN_MS = 60_000;
/** A busy machine misses deadlines, and then a node counts alone: such a round says nothing. */
const MAX_ROUNDS = 10;
const COMPARED_SHARE = 0.8;
const DECISIONS = 50;
const NAMES = [
  ...['anna', 'bert', 'clara', 'david', 'emma', 'felix', 'greta', 'hugo', 'ida', 'jonas'],
  ...['karla', 'leon', 'marta', 'nils', 'olga', 'peter', 'rosa', 'simon', 'tilda', 'victor'],
];

async function open(t: ExecutionContext, options: Partial<Parameters<typeof startFleet>[1]>) {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const fleet = await startFleet(t, { size: 1, counters: server.port, records: 'one', ...options });
  t.true(await until(() => countsTogether(fleet), SETTLED_WITHIN_MS));
  return { server, fleet };
}

/** A burst of one address, one of a network, one of a company's domain, and ordinary signups between them. */
function attackOf(round: number): readonly Signup[] {
  return Array.from({ length: 20 }, (_, i) => [
    { email: `mia.${NAMES[i]}${round}@gmail.com`, ip: `81.2.${200 + round}.9` },
    { email: `paul.${NAMES[i]}${round}@gmail.com`, ip: `82.3.${round}.${i + 1}` },
    { email: `${NAMES[i]}@works${round}-and-sons.com`, ip: `83.${i}.${round}.7` },
    { email: `${NAMES[i]}.weber${round}@gmail.com`, ip: `84.${i}.${round}.7` },
  ]).flat();
}

/** What each signup was answered, null where that is from the counts of one node. Null: a node counted alone for long. */
async function verdictsOf(
  fleet: Fleet,
  attack: readonly Signup[],
): Promise<readonly (string | null)[] | null> {
  const verdicts: (string | null)[] = [];
  for (const signup of attack) {
    const { node, requestId, verdict } = await fleet.score(signup);
    verdicts.push((await node.decision(requestId)).degraded ? null : verdict);
    if ((await node.ready()).counters !== undefined) return null;
  }
  return verdicts;
}

run('an attack that is spread over three nodes gets the answers that one node gives', async (t) => {
  t.timeout(600_000);
  const [{ fleet: alone }, { fleet: three }] = await Promise.all([
    open(t, { size: 1 }),
    open(t, { size: 3 }),
  ]);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attack = attackOf(round);
    const [expected, spread] = await Promise.all([verdictsOf(alone, attack), verdictsOf(three, attack)]);
    const compared = attack.flatMap((signup, i) => {
      const [one, other] = [expected?.[i], spread?.[i]];
      return one && other ? [{ ...signup, one, other }] : [];
    });
    t.log(`${compared.length} of ${attack.length} decisions were counted in time by both`);
    if (compared.length < attack.length * COMPARED_SHARE) continue;
    const different = compared.filter(({ one, other }) => one !== other);
    for (const signup of different) t.log(JSON.stringify(signup));
    // What a refused attempt counted is taken back right after its answer. The next node may ask before that.
    if (different.length > 0) continue;
    for (const reason of ['ip_burst', 'subnet_burst', 'domain_burst'])
      t.true(
        compared.some(({ other }) => other.includes(reason)),
        reason,
      );
    return;
  }
  t.fail(`in none of ${MAX_ROUNDS} rounds were the answers the same and in time`);
});

for (const [calls, plan, options] of [
  [1, 'a plan without a limit per minute', {}],
  [2, 'a plan with one', { requestsPerMinute: 1_000_000 }],
] as const) {
  run(`a decision is at most ${calls} calls of Redis for ${plan}`, async (t) => {
    const { server, fleet } = await open(t, options);
    await server.admin.config('RESETSTAT');
    for (let i = 0; i < DECISIONS; i++) t.is((await fleet.score(signupOf('counted'))).status, 200);
    const stats = await server.admin.info('commandstats');
    const counted = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
    t.true(counted > 0 && counted <= DECISIONS * calls, `${counted} calls`);
    t.notRegex(stats, /cmdstat_eval:/);
  });
}

run('Redis sees no email, address, domain, user agent or key', async (t) => {
  const { server, fleet } = await open(t, { requestsPerMinute: 1_000 });
  const seen: string[] = [];
  const monitor = await (await server.connect()).monitor();
  monitor.on('error', () => {});
  t.teardown(() => monitor.disconnect());
  monitor.on('monitor', (_time: string, args: readonly string[]) => seen.push(args.join(' ').toLowerCase()));
  const signup = {
    email: 'magdalena.rosenberg@acme-works.com',
    ip: '81.2.69.142',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  for (let i = 0; i < DECISIONS; i++) {
    await fleet.score(signup);
    await fleet.signUp(signup);
  }
  t.true(
    await until(
      () => seen.filter((line) => line.startsWith('evalsha')).length > DECISIONS,
      SETTLED_WITHIN_MS,
    ),
  );
  // Encrypted text is random letters and digits, which have any shorter word in them now and then.
  const readable = [
    'magdalena',
    'rosenberg',
    'acme-works',
    '81.2',
    '69.142',
    'mozilla',
    'firefox',
    'the key',
  ];
  for (const text of readable)
    t.deepEqual(
      seen.filter((line) => line.includes(text)),
      [],
      text,
    );
});
