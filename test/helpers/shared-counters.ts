import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Counters, Observation, ObservedCounts } from '../../src/counters/counters.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import {
  type OpenRedisCountersOptions,
  openRedisCounters,
  type SharedCounters,
} from '../../src/counters/redis/open-redis-counters.ts';
import { pause } from './redis-server.ts';

/** Counters as a node opens them, and what the node said and counted. */
export interface SharedNode {
  readonly counters: SharedCounters;
  readonly lines: string[];
  readonly fallbacks: string[];
  /** Calls that were sent, and how long they took. */
  readonly called: readonly { readonly script: string; readonly ms: number }[];
  losses(): number;
}

/** For exact counts on a busy machine. */
export const PATIENCE_MS = 10_000;

export async function openNode(
  t: ExecutionContext,
  url: string,
  {
    secret = randomUUID() as string,
    refill = (async () => 0) as OpenRedisCountersOptions['refill'],
    deadlineMs = 50,
    nodesAlive = () => 1,
  } = {},
): Promise<SharedNode> {
  const lines: string[] = [];
  const fallbacks: string[] = [];
  const called: { readonly script: string; readonly ms: number }[] = [];
  let losses = 0;
  const counters = await openRedisCounters({
    ...{ url, secret, refill, deadlineMs, nodesAlive, clock: Date.now },
    local: createMemoryCounters({ maxKeysPerDimension: 1_024, membersPerKey: 512 }),
    metrics: {
      fellBack: (because) => fallbacks.push(because),
      lost: () => {
        losses++;
      },
      called: (script, ms) => called.push({ script, ms }),
    },
    log: {
      info: (facts, message) => lines.push(`${message} ${JSON.stringify(facts)}`),
      warn: (facts, message) => lines.push(`${message} ${JSON.stringify(facts)}`),
    },
  });
  t.teardown(() => counters.close());
  return { counters, lines, fallbacks, called, losses: () => losses };
}

/** What the velocity of one signup looks like. */
export function attemptOf(member: string, { network = '203.0.113.0/24', domain = 'acme.example' } = {}) {
  const claimed = { isProvisional: true } as const;
  return [
    { dimension: 'ip', key: `1 address of ${network}`, member },
    { dimension: 'subnet', key: `1 ${network}`, member },
    { dimension: 'device', key: `1 ${network} browser`, member },
    { dimension: 'mailbox', key: `1 ${member}`, member: `spelling of ${member}`, ...claimed },
    { dimension: 'domain', key: `1 ${domain}`, member, ...claimed },
    { dimension: 'colleagues', key: `1 ${domain} ${network}`, member },
    { dimension: 'template', key: '1 name.name', member, ...claimed },
  ] as const satisfies readonly Observation[];
}

/** The counts of a signup, accepted unless it says so. */
export async function observe(
  counters: Counters,
  observations: readonly Observation[],
  isRefused = false,
): Promise<readonly ObservedCounts[]> {
  const now = Date.now();
  const counts = await counters.observe(observations, now);
  counters.settle({ observations, counts, isRefused, now });
  return counts;
}

/** Waits for what an engine does by itself. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await holds()) return true;
    await pause(20);
  }
  return false;
}
