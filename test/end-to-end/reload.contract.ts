import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import Database from 'libsql';
import { openGatedApp } from '../helpers/gated-app.ts';
import { gatekeeper, type RunningGatekeeper, spawnServe } from '../helpers/gatekeeper-process.ts';
import { startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startLoad } from './reload-load.ts';

export interface ReloadProof {
  /** Files in turn, every second one bad. */
  readonly reloads: number;
  readonly perSecond: number;
  /** Processes of `gatekeeper serve` on one file and one database. */
  readonly nodes: number;
  /** Left out: each of them is one process. */
  readonly workers?: number;
}

const SHOWN_WITHIN_MS = 60_000;

/** Under policy `n`, the n-th domain is denied, the next one allowed, and the third one has the n-th risk level. */
const DOMAINS = ['gmail.com', 'posteo.de', 'proton.me'];
const LEVELS = [
  { level: 'low', levels: '{low: 2, medium: 1}', action: 'forward' },
  { level: 'medium', levels: '{low: 100, medium: 1}', action: 'verify' },
  { level: 'high', levels: '{low: 100, medium: 99}', action: 'block' },
] as const;

interface Outcome {
  readonly door: string;
  readonly domain: string;
  readonly trust: number;
  readonly level: string;
  readonly action: string | null;
}

interface StoredOutcome extends Outcome {
  readonly revision: string;
}

/** What policy `n` makes of a signup with that domain. */
function fits(n: number, { door, domain, trust, level, action }: Outcome): boolean {
  const nth = (i: number) => DOMAINS[i % DOMAINS.length];
  const acts = (expected: string) => door === 'api' || action === expected;
  if (domain === nth(n)) return trust === 0 && level === 'high' && acts('block');
  if (domain === nth(n + 1)) return trust === 100 && level === 'low' && acts('forward');
  const own = LEVELS[n % LEVELS.length];
  return own !== undefined && trust > 0 && trust < 100 && level === own.level && acts(own.action);
}

/** Every file has a policy of its own revision; the deadline makes it so. */
function goodFile(i: number, { upstream, processes }: { upstream: number; processes: string }): string {
  const n = i % DOMAINS.length;
  return `api: {listen: "127.0.0.1:0"}
dashboard: {listen: "127.0.0.1:0"}
server: {max_lag: 60s}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${upstream}
  trusted_proxies: [127.0.0.1]
  routes: [{name: web, path: /signup, mode: enforce, verify: {by: upstream}}]
lists: {deny: [${DOMAINS[n]}], allow: [${DOMAINS[(n + 1) % DOMAINS.length]}]}
scoring: {dns: {enabled: false}, deadline: ${1_000 + i}ms, levels: ${LEVELS[n]?.levels}}
assertion: {keys: [{id: key-${n}, secret: "a secret that is long enough for key ${n}"}]}
${processes}
`;
}

const BAD: readonly ((good: string) => string)[] = [
  () => '',
  (good) => good.slice(0, good.indexOf('/signup')),
  (good) => good.replace('lists: ', 'lsits: '),
  (good) => good.replace('verify: {by: upstream}', 'verify: {by: upstream}, block_page: missing.html'),
  (good) => good.replace('assertion: {keys: [{', `assertion: {keys: [{secret: "\${file:missing}", `),
  () => 'api: [',
];

/** How a file comes into place: as editors, scripts and Kubernetes write it. */
const PLACEMENTS: readonly ((folder: string, text: string, i: number) => void)[] = [
  (folder, text) => writeFileSync(join(folder, 'volume/gatekeeper.yaml'), text),
  (folder, text) => {
    writeFileSync(join(folder, 'volume/gatekeeper.yaml.new'), text);
    renameSync(join(folder, 'volume/gatekeeper.yaml.new'), join(folder, 'volume/gatekeeper.yaml'));
  },
  (folder, text, i) => {
    mkdirSync(join(folder, `volume-${i}`));
    writeFileSync(join(folder, `volume-${i}/gatekeeper.yaml`), text);
    symlinkSync(`volume-${i}`, join(folder, '..next'));
    renameSync(join(folder, '..next'), join(folder, 'volume'));
  },
];

interface SeenByApp {
  readonly trust: number;
  readonly keyId: string;
}

function keyIdOf(headers: IncomingHttpHeaders): string {
  const [head = ''] = String(headers['x-gatekeeper-assertion']).split('.');
  return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { readonly kid: string }).kid;
}

/**
 * Reloads good and bad files in turn while signups arrive at both doors: no request fails, no decision is made by parts
 * of two policies, a bad file changes nothing and is shown, and the last good one is in force at the end. Returns how
 * long each good file took to be active on every node.
 */
export async function proveReloads(t: ExecutionContext, proof: ReloadProof): Promise<readonly number[]> {
  const folder = temporaryFolder(t);
  const seen: SeenByApp[] = [];
  const note = ({ headers }: IncomingMessage) =>
    void seen.push({ trust: Number(headers['x-gatekeeper-score']), keyId: keyIdOf(headers) });
  const file = { upstream: await openGatedApp(t, note), processes: await processesOf(t, proof) };
  mkdirSync(join(folder, 'volume-start'));
  writeFileSync(join(folder, 'volume-start/gatekeeper.yaml'), goodFile(0, file));
  symlinkSync('volume-start', join(folder, 'volume'));
  symlinkSync('volume/gatekeeper.yaml', join(folder, 'gatekeeper.yaml'));
  const nodes: RunningGatekeeper[] = [];
  for (let i = 0; i < proof.nodes; i++) nodes.push(await spawnServe(t, folder, ['serve']));
  await Promise.all(nodes.map((node) => node.said('The dashboard is at ')));
  const gateUrl = (node: RunningGatekeeper) => /The gate listens on (\S+)/.exec(node.output())?.[1] ?? '';
  const targets = nodes.map((node) => ({ apiUrl: node.url, gateUrl: gateUrl(node) }));
  const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'load', '--plan', 'unlimited');
  const isRefused = async ({ url }: RunningGatekeeper) =>
    (await (await fetch(`${url}/readyz`)).text()).includes('refused since');

  const load = startLoad({ targets, key: stdout.trim(), domains: DOMAINS, perSecond: proof.perSecond });
  t.teardown(() => load.stop());
  const tookMs: number[] = [];
  let good = 0;
  let bad = 0;
  for (let i = 1; i <= proof.reloads; i++) {
    const isBad = i % 2 === 0;
    const text = isBad ? (BAD[bad++ % BAD.length]?.(goodFile(i, file)) ?? '') : goodFile(++good, file);
    const before = load.answers.length;
    const placedAt = performance.now();
    PLACEMENTS[i % PLACEMENTS.length]?.(folder, text, i);
    if (i % 4 === 0 || i % 4 === 3) for (const node of nodes) node.process.kill('SIGHUP');
    const line = isBad ? 'the changed configuration is invalid' : 'the changed configuration is active';
    await Promise.all(nodes.map((node) => node.said(line, isBad ? bad : good)));
    if (!isBad) tookMs.push(performance.now() - placedAt);
    for (const node of nodes)
      t.true(await until(async () => (await isRefused(node)) === isBad, SHOWN_WITHIN_MS), `after file ${i}`);
    while (load.answers.length < before + 12) await wait(5);
  }
  await load.stop();

  const failed = load.answers.filter(({ door, status }) =>
    door === 'api' ? status !== 200 : status !== 200 && status !== 403,
  );
  t.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${load.answers.length} requests failed`);
  const inForce = await Promise.all(targets.map(({ apiUrl }) => policyInForce(apiUrl, stdout.trim())));
  for (const node of nodes) t.is(await node.end('SIGTERM'), 0);
  const outcomes = readOutcomes(folder).slice(0, -nodes.length);
  t.is(
    outcomes.length,
    load.answers.length,
    'each request has one decision, and each decision is of a request',
  );
  const policies = groupByRevision(outcomes);
  const mixed = policies.filter((made) => !DOMAINS.some((_, n) => made.every((one) => fits(n, one))));
  t.deepEqual(
    mixed.map((made) => made.slice(0, 6)),
    [],
    `${mixed.length} of ${policies.length} policies have decisions that do not fit`,
  );
  t.is(policies.length, good + 1, 'every good file judged something, and no bad one did');
  t.true(
    seen.every(({ trust, keyId }) => trust !== 100 || /^key-[012]$/.test(keyId)),
    'what reached the app was signed',
  );
  const last = outcomes.findLast(({ door }) => door === 'api')?.revision;
  t.deepEqual(
    inForce,
    inForce.map(() => last ?? null),
    'the last good file is in force',
  );
  t.log(
    `${proof.reloads} reloads (${good} good, ${bad} bad) on ${proof.nodes} node(s) of ${proof.workers ?? 1} process(es), ${load.answers.length} requests, ` +
      `${failed.length} failed, ${mixed.length} of ${policies.length} policies mixed; ` +
      `a good file was active after ${Math.round(Math.max(...tookMs))} ms at most`,
  );
  return tookMs;
}

/** Workers count in Redis. */
async function processesOf(t: ExecutionContext, { workers = 1 }: ReloadProof): Promise<string> {
  if (workers === 1) return '';
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  return `storage: {counters: "redis://127.0.0.1:${redis.port}"}\nworkers: ${workers}`;
}

function groupByRevision(outcomes: readonly StoredOutcome[]): readonly (readonly StoredOutcome[])[] {
  const groups = new Map<string, StoredOutcome[]>();
  for (const one of outcomes) {
    const group = groups.get(one.revision) ?? [];
    group.push(one);
    groups.set(one.revision, group);
  }
  return [...groups.values()];
}

async function policyInForce(apiUrl: string, key: string): Promise<string | null> {
  const answer = await fetch(`${apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'last@gmail.com', ip_address: '2.125.160.216' }),
  });
  return answer.headers.get('gatekeeper-policy');
}

/** All stored decisions, oldest first. */
function readOutcomes(folder: string): readonly StoredOutcome[] {
  const database = new Database(join(folder, 'data/gatekeeper.db'), { readonly: true });
  try {
    return database
      .prepare(
        `SELECT door, domain, trust_score AS trust, risk_level AS level, action, policy_revision AS revision
         FROM decisions ORDER BY id`,
      )
      .all([]) as StoredOutcome[];
  } finally {
    database.close();
  }
}
