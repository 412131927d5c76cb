import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../../telemetry/logger.ts';
import type { MeasuredFleet } from '../../telemetry/metric-sources.ts';
import { REPORT_EVERY_MS } from './node-intervals.ts';
import { findNodeIssues, isAlive, type NodeIssue } from './node-issues.ts';
import type { FleetNode, NodeReport, NodeStore } from './node-store.ts';

/** Reports this node to the other nodes, and finds problems of the nodes as a whole. */
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
  /** As last measured. */
  readonly clockSkewMs: () => number | null;
  readonly describe: () => Pick<NodeReport, 'version' | 'configuration' | 'data' | 'degraded'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Reports now and every five seconds. Its timer does not keep the process running. */
export function openNodeReporter(dependencies: NodeReporterDependencies): NodeReporter {
  const { store, clockSkewMs, describe, log } = dependencies;
  const id = randomUUID();
  const name = `${hostname()}/${process.pid}`;
  let nodes: readonly FleetNode[] | null = null;
  let issues: readonly NodeIssue[] = [];
  let isFailing = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = run();

  async function run(): Promise<void> {
    try {
      await store.report({ ...describe(), id, name, clockSkewMs: clockSkewMs() });
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

  /** Logs each issue once when it begins and once when it is over. */
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
    measure: () =>
      nodes && {
        alive: nodes.filter(isAlive).length,
        issues: issues.length,
        clockSkewMs: clockSkewMs(),
      },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      // The row expires by itself.
      await store.remove(id).catch(() => {});
    },
  };
}
