import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { ExecutionContext } from 'ava';
import { type RunningGatekeeper, startGatekeeperProcess } from './gatekeeper-process.ts';
import { startRedis } from './redis-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** `gatekeeper serve` with several workers on SQLite or PostgreSQL, and Redis. */
export interface WorkerProcesses {
  readonly running: RunningGatekeeper;
  readonly folder: string;
  readonly gateUrl: string;
  /** The processes that serve now. */
  pids(): readonly number[];
  /** Scores a signup over a new connection, which may reach any worker. */
  score(email: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The sums of all counters of the program, by name and labels. */
  counts(): Promise<ReadonlyMap<string, number>>;
}

export interface Answer {
  /** Null when no whole answer came. */
  readonly status: number | null;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly sentAt: number;
  /** When its answer was complete, or it became clear that there will be none. */
  readonly endedAt: number;
}

export interface WorkersOptions {
  readonly workers?: number;
  readonly requestsPerMonth?: number | null;
  /** `storage.records`; left out: a SQLite file. */
  readonly records?: string;
  /** More of the configuration, as lines of YAML. */
  readonly more?: string;
}

export const KEY = 'the key of these workers';

export async function startWorkerProcesses(
  t: ExecutionContext,
  {
    workers = 2,
    requestsPerMonth = null,
    records = 'sqlite:./data/gatekeeper.db',
    more = '',
  }: WorkersOptions = {},
): Promise<WorkerProcesses> {
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  const folder = temporaryFolder(t);
  const running = await startGatekeeperProcess(
    t,
    folder,
    `api:
  listen: 127.0.0.1:0
  keys: [{name: ci, sha256: ${hash('sha256', KEY)}, plan: ci}]
  plans: {ci: {requests_per_month: ${requestsPerMonth}}}
storage: {records: "${records}", counters: "redis://127.0.0.1:${redis.port}"}
privacy: {hash_secret: all workers share this secret of this suite}
scoring: {dns: {enabled: false}}
server: {max_lag: 60s}
workers: ${workers}
${more}`,
  );
  await running.said('The dashboard is at ');
  await running.said('\n', 2);
  const urlAfter = (text: string) => new RegExp(`${text} (\\S+)`).exec(running.output())?.[1] ?? '';
  const metricsUrl = `${new URL(urlAfter('The dashboard is at')).origin}/metrics`;
  return {
    ...{ running, folder, gateUrl: urlAfter('The gate listens on') },
    pids: () => childrenOf(running.process.pid ?? 0),
    score: (email, headers = {}) =>
      ask(`${running.url}/score-signup`, JSON.stringify({ email, ip_address: '2.125.160.216' }), {
        ...{ 'x-api-key': KEY, 'content-type': 'application/json' },
        ...headers,
      }),
    async counts() {
      const { body } = await ask(metricsUrl, null, {});
      const counters = new Set(
        [...body.matchAll(/^# TYPE (gatekeeper_\S+) counter$/gm)].map(([, name]) => name),
      );
      const lines = [...body.matchAll(/^((\w+)(?:\{.*\})?) (\S+)$/gm)];
      return new Map(
        lines.flatMap(([, series = '', name, value]) =>
          counters.has(name) ? [[series, Number(value)] as const] : [],
        ),
      );
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not waited for yet is still listed.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

export const HANGING = 'no answer within 30 s';
const oneRequest = new Agent({ keepAlive: false });

/** Over a connection of its own. */
export function ask(
  url: string,
  body: string | null,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const sentAt = performance.now();
  const times = () => ({ sentAt, endedAt: performance.now() });
  return new Promise((resolve) => {
    const lost = (error: Error) => resolve({ status: null, body: String(error), headers: {}, ...times() });
    const method = body === null ? 'GET' : 'POST';
    const asked = request(url, { method, headers, agent: oneRequest, timeout: 30_000 }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', lost);
      answer.on('end', () => {
        const { statusCode = null } = answer;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: statusCode, body: text, headers: answer.headers, ...times() });
      });
    });
    asked.on('timeout', () => asked.destroy(new Error(HANGING)));
    asked.on('error', lost).end(body ?? undefined);
  });
}
