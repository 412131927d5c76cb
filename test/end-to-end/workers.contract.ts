import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { until } from '../helpers/shared-counters.ts';
import {
  type Answer,
  ask,
  HANGING,
  isAlive,
  KEY,
  startWorkerProcesses,
  type WorkerProcesses,
} from '../helpers/worker-processes.ts';

const DEAD_WITHIN_MS = 60_000;
/**
 * Of a connection that no process took. On a busy machine the parent may lose its core between its last look for
 * connections and the close of the port, and the system resets those that came meanwhile.
 */
const NOT_ACCEPTED = process.env.CI ? ['ECONNREFUSED'] : ['ECONNREFUSED', 'ECONNRESET'];
/** On a busy machine, fewer are sent. */
const MAX_OPEN = 200;
const STEP_MS = 5;

/** So many requests, a bounded number of them at a time. */
async function askAtOnce(
  count: number,
  concurrency: number,
  send: (turn: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let turn = 0;
  const work = async () => {
    while (turn < count) answers.push(await send(turn++));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return answers;
}

function countByStatus(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}

export async function proveExactQuota(
  t: ExecutionContext,
  {
    quota,
    concurrency,
    records,
  }: { readonly quota: number; readonly concurrency: number; readonly records?: string },
): Promise<void> {
  const { score, running } = await startWorkerProcesses(t, {
    requestsPerMonth: quota,
    ...(records && { records }),
  });
  const answers = await askAtOnce(2 * quota, concurrency, (i) => score(`person${i}@gmail.com`));
  t.deepEqual(countByStatus(answers), { 200: quota, 429: quota });
  const left = answers
    .filter(({ status }) => status === 200)
    .map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
  t.deepEqual(
    left.sort((a, b) => a - b),
    Array.from({ length: quota }, (_, i) => i),
    'each answer left one request less',
  );
  t.is(await running.end('SIGTERM'), 0);
}

export async function proveOneAnswer(t: ExecutionContext, requests: number, records?: string): Promise<void> {
  const { score, running } = await startWorkerProcesses(t, {
    requestsPerMonth: 1_000_000,
    ...(records && { records }),
  });
  const answers = await askAtOnce(requests, requests, () =>
    score('jane.doe@gmail.com', { 'idempotency-key': 'one of all' }),
  );
  t.deepEqual(countByStatus(answers), { 200: requests });
  t.is(new Set(answers.map(({ body }) => body)).size, 1, 'all have the same body');
  const usage = await ask(`${running.url}/usage`, null, { 'x-api-key': KEY });
  t.is(JSON.parse(usage.body).used, 1, 'it is counted once');
  t.is(await running.end('SIGTERM'), 0);
}

interface Load {
  readonly answers: readonly Answer[];
  stop(): Promise<void>;
}

function startLoad({ score }: WorkerProcesses, perSecond: number): Load {
  const answers: Answer[] = [];
  const open = new Set<Promise<void>>();
  let sent = 0;
  let isStopped = false;
  const startedAt = performance.now();
  const running = (async () => {
    while (!isStopped) {
      const due = ((performance.now() - startedAt) * perSecond) / 1_000;
      for (; sent < due && open.size < MAX_OPEN; sent++) {
        const one: Promise<void> = score(`person${sent}@gmail.com`).then((answer) => {
          answers.push(answer);
          open.delete(one);
        });
        open.add(one);
      }
      await wait(STEP_MS);
    }
    await Promise.all(open);
  })();
  return {
    answers,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

export interface KillProof {
  readonly perSecond: number;
  readonly kills: number;
  readonly scrapes: number;
  /** `storage.records`; left out: a SQLite file. */
  readonly records?: string;
}

export interface KilledWorkers {
  /** The decisions that clients were told of. */
  readonly answeredIds: readonly string[];
  /** Requests without an answer: they may be decided and stored or not. */
  readonly unanswered: number;
}

/**
 * Kills workers one after the other under load, and then ends all. Only what a killed worker was working on fails, no
 * counter decreases, and what was answered is stored.
 */
export async function proveKills(
  t: ExecutionContext,
  { perSecond, kills, scrapes, records }: KillProof,
): Promise<KilledWorkers> {
  const workers = await startWorkerProcesses(t, { ...(records && { records }) });
  const load = startLoad(workers, perSecond);
  t.teardown(() => load.stop());
  const deaths: { readonly from: number; readonly to: number }[] = [];
  const seen: ReadonlyMap<string, number>[] = [];
  for (let i = 0; i < scrapes; i++) {
    if (i % Math.ceil(scrapes / kills) === 1) {
      const pid = workers.pids()[i % 2] ?? 0;
      const from = performance.now();
      process.kill(pid, 'SIGKILL');
      t.true(await until(() => !isAlive(pid), DEAD_WITHIN_MS));
      deaths.push({ from, to: performance.now() });
      await workers.running.said('a new worker serves requests', deaths.length);
    }
    seen.push(await workers.counts());
    await wait(STEP_MS);
  }
  const before = load.answers.length;
  while (load.answers.length < before + perSecond / 10) await wait(STEP_MS);
  const endedAt = performance.now();
  const code = await workers.running.end('SIGTERM');
  await load.stop();

  t.is(code, 0);
  for (const [i, counts] of seen.entries()) {
    for (const [series, count] of seen[i - 1] ?? []) t.true((counts.get(series) ?? 0) >= count, series);
  }
  const failed = load.answers.filter(({ status, sentAt }) => status !== 200 && sentAt < endedAt);
  const wasDying = ({ sentAt, endedAt: lostAt }: Answer) =>
    deaths.some(({ from, to }) => sentAt <= to && lostAt >= from);
  t.deepEqual(
    failed.filter((answer) => answer.body.includes(HANGING) || !wasDying(answer)),
    [],
    'only what a killed worker was working on fails, and at once',
  );
  const ofEnd = load.answers.filter(({ sentAt, status }) => sentAt >= endedAt && status !== 200);
  t.deepEqual(
    ofEnd.filter(({ body, status }) => status !== 503 && !NOT_ACCEPTED.some((code) => body.includes(code))),
    [],
    'the end loses no request',
  );
  t.log(
    `${load.answers.length} requests, ${failed.length} failed with ${deaths.length} killed workers, ${seen.length} scrapes`,
  );
  const answered = load.answers.filter(({ status }) => status === 200);
  return {
    answeredIds: answered.map(({ body }) => (JSON.parse(body) as { readonly request_id: string }).request_id),
    unanswered: load.answers.length - answered.length,
  };
}
