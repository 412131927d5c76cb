import type { FleetStore } from '../storage/fleet/fleet-store.ts';
import { describeSkew, findNodeIssues, isAlive } from '../storage/fleet/node-issues.ts';
import type { FleetNode } from '../storage/fleet/node-store.ts';
import type { ExitCode } from './command-context.ts';
import type { Write } from './show-data.ts';
import { tableOf } from './table.ts';

export interface ShowNodesOptions {
  /** The nodes that share the records. Null with SQLite. */
  readonly fleet: Pick<FleetStore, 'nodes'> | null;
  readonly json: boolean;
  readonly write: Write;
}

/** `gatekeeper nodes`: lists the processes that share the records, and their differences. */
export async function showNodes({ fleet, json, write }: ShowNodesOptions): Promise<ExitCode> {
  const nodes = (await fleet?.nodes.list()) ?? [];
  const issues = findNodeIssues(nodes);
  if (json) {
    write(`${JSON.stringify({ nodes: nodes.map(toJson), issues: issues.map(issueToJson) }, null, 2)}\n`);
    return 0;
  }
  if (fleet === null) {
    write('The records are in SQLite: only processes of this machine share them. Nodes share PostgreSQL.\n');
    return 0;
  }
  if (nodes.length === 0) {
    write('No node has reported in the last ten minutes.\n');
    return 0;
  }
  const head = ['node', 'state', 'version', 'started', 'configuration', 'data', 'clock', 'last report'];
  write(tableOf(head, nodes.map(toRow)));
  for (const { message } of issues) write(`\n${message}\n`);
  return 0;
}

function toRow(node: FleetNode): readonly string[] {
  const { name, version, startedAt, configuration, data, clockSkewMs, seenAgoMs, degraded } = node;
  const state = isAlive(node) ? degraded.join(', ') || 'serves' : 'silent';
  const clock =
    clockSkewMs === null ? '-' : Math.abs(clockSkewMs) < 1_000 ? 'right' : describeSkew(clockSkewMs);
  const started = new Date(startedAt).toISOString();
  const seen = `${Math.round(seenAgoMs / 1_000)} s ago`;
  return [name, state, version, started, configuration, data, clock, seen];
}

function toJson(node: FleetNode): object {
  const { id, name, version, startedAt, configuration, data, clockSkewMs, seenAgoMs, degraded } = node;
  return {
    id,
    name,
    version,
    configuration,
    data,
    degraded,
    alive: isAlive(node),
    started_at: new Date(startedAt).toISOString(),
    seen_ago_ms: seenAgoMs,
    clock_skew_ms: clockSkewMs,
  };
}

function issueToJson({ kind, message, nodes }: ReturnType<typeof findNodeIssues>[number]): object {
  return { kind, message, nodes };
}
