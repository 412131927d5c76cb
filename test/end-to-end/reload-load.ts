import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** One signup of the load, at one of the doors. */
export interface Asked {
  readonly door: 'api' | 'gate';
  readonly domain: string;
  /** 0 when no whole answer came. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoadTarget {
  readonly apiUrl: string;
  readonly gateUrl: string;
}

export interface LoadOptions {
  readonly targets: readonly LoadTarget[];
  readonly key: string;
  readonly domains: readonly string[];
  readonly perSecond: number;
}

export interface Load {
  readonly answers: readonly Asked[];
  /** Waits for the answers of all requests that were sent. */
  stop(): Promise<void>;
}

/** More than a busy machine leaves open; the bound keeps a server that hangs from filling the memory. */
const MAX_OPEN = 2_000;
const STEP_MS = 10;

/** Sends signups at an even rate to both doors of every node in turn, each with its own mailbox, until it is stopped. */
export function startLoad({ targets, key, domains, perSecond }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const answers: Asked[] = [];
  const open = new Set<Promise<void>>();
  let sent = 0;
  let isStopped = false;

  function send(): void {
    const i = sent++;
    const door = i % 2 === 0 ? 'api' : 'gate';
    const domain = domains[Math.floor(i / 2) % domains.length] ?? '';
    const target = targets[Math.floor(i / 6) % targets.length];
    if (!target) throw new Error('there is no node');
    const email = `person${i}@${domain}`;
    // Every sender has its own address: repeated refusals of one sender share a row.
    const ip = `81.${i % 200}.${Math.floor(i / 200) % 250}.${1 + (Math.floor(i / 50_000) % 250)}`;
    const body = JSON.stringify(door === 'api' ? { email, ip_address: ip } : { email });
    const url = door === 'api' ? `${target.apiUrl}/score-signup` : `${target.gateUrl}/signup`;
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'x-forwarded-for': ip };
    const answer = ask(url, body, headers, agent).then((answered) => {
      answers.push({ door, domain, ...answered });
      open.delete(answer);
    });
    open.add(answer);
  }

  async function run(): Promise<void> {
    const startedAt = performance.now();
    while (!isStopped) {
      const due = ((performance.now() - startedAt) * perSecond) / 1_000;
      while (sent < due && open.size < MAX_OPEN) send();
      await wait(STEP_MS);
    }
  }
  const running = run();
  return {
    answers,
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(open);
      agent.destroy();
    },
  };
}

function ask(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<Pick<Asked, 'status' | 'headers' | 'body'>> {
  return new Promise((resolve) => {
    const lost = (error: Error) => resolve({ status: 0, headers: {}, body: String(error) });
    const sending = request(url, { method: 'POST', agent, headers }, (answer) => {
      const chunks: string[] = [];
      answer.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
      answer.on('error', lost).on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: chunks.join('') });
      });
    });
    sending.on('error', lost).end(body);
  });
}
