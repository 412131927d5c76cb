import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { MeasuredFleet } from '../../telemetry/metric-sources.ts';
import { REPORT_EVERY_MS } from './node-intervals.ts';
import { findNodeIssues, isAlive, type NodeIssue } from './node-issues.ts';
import type { FleetNode, NodeReport, NodeStore } from './node-store.ts';

/** Tells the other nodes of this one, and finds what is wrong with all of them. */
export interface NodeReporter {
  /** As last found. */
  issues(): readonly NodeIssue[];
  /** Null before the first report. */
  measure(): MeasuredFleet | null;
  /** Removes this node from the list. */
  close(): Promise<void>;
}

export interface NodeReporterDependencies {
  readonly store: NodeStore;
  /** By the clock of the database. */
  readonly databaseTime: () => Promise<number>;
  readonly describe: () => Pick<NodeReport, 'version' | 'configuration' | 'data' | 'degraded'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** An answer that took longer says too little about the clocks. */
const MAX_ROUND_TRIP_MS = 1_000;

/** Reports now and every five seconds. Its timer does not keep the process running. */
export function openNodeReporter(dependencies: NodeReporterDependencies): NodeReporter {
  const { store, databaseTime, describe, clock, log } = dependencies;
  const id = randomUUID();
  const name = `${hostname()}/${process.pid}`;
  let nodes: readonly FleetNode[] | null = null;
  let issues: readonly NodeIssue[] = [];
  let clockSkewMs: number | null = null;
  let isFailing = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = run();

  async function run(): Promise<void> {
    try {
      clockSkewMs = (await measureSkew()) ?? clockSkewMs;
      await store.report({ ...describe(), id, name, clockSkewMs });
      nodes = await store.list();
      notice(findNodeIssues(nodes));
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) log.warn({ err: error }, 'this node could not report to the others');
      isFailing = true;
    }
    if (isClosed) return;
    timer = setTimeout(() => {
      running = run();
    }, REPORT_EVERY_MS).unref();
  }

  async function measureSkew(): Promise<number | null> {
    const [askedAt, begunAt] = [clock(), performance.now()];
    const databaseAt = await databaseTime();
    const tookMs = performance.now() - begunAt;
    return tookMs > MAX_ROUND_TRIP_MS ? null : Math.round(askedAt + tookMs / 2 - databaseAt);
  }

  /** Each issue once, when it begins and when it is over. */
  function notice(found: readonly NodeIssue[]): void {
    const keyOf = ({ kind, nodes: named }: NodeIssue) => [kind, ...named].join(' ');
    const before = new Set(issues.map(keyOf));
    const after = new Set(found.map(keyOf));
    for (const issue of found) if (!before.has(keyOf(issue))) log.warn({ kind: issue.kind }, issue.message);
    for (const issue of issues)
      if (!after.has(keyOf(issue))) log.info({ kind: issue.kind }, 'an issue of the nodes is over');
    issues = found;
  }

  return {
    issues: () => issues,
    measure: () => nodes && { alive: nodes.filter(isAlive).length, issues: issues.length, clockSkewMs },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      // The row expires by itself.
      await store.remove(id).catch(() => {});
    },
  };
}
