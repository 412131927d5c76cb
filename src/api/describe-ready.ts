import { describeLocal } from '../counters/describe-local.ts';
import type { Readiness } from './exchange.ts';

/**
 * The answer of a ready node, with what is degraded. A node with local counters still serves, and so does a gate
 * without its records. Every client may ask, so the config issues and the names of nodes are only in the log and on the
 * dashboard.
 */
export function describeReady({
  countersLocalSince = null,
  recordsAwaySince = null,
  isNotified = null,
  nodeIssues = [],
  configuration,
  oldFeeds = [],
}: Extract<Readiness, { ready: true }>): string {
  const { refused = null, waiting = [] } = configuration ?? {};
  return JSON.stringify({
    status: 'ok',
    ...(countersLocalSince !== null && { counters: describeLocal(countersLocalSince) }),
    ...(recordsAwaySince !== null && { records: `away since ${isoTime(recordsAwaySince)}` }),
    ...(isNotified === false && { changes: 'read every 250 ms; notifications of PostgreSQL do not arrive' }),
    ...(refused && {
      configuration: `refused since ${isoTime(refused.since)}; the last valid one is active, and the log has the mistakes`,
    }),
    ...(nodeIssues.length > 0 && { nodes: [...new Set(nodeIssues)].map((kind) => `${kind} differs`) }),
    ...(waiting.length > 0 && { restart_needed: waiting }),
    ...(oldFeeds.length > 0 && { old_feeds: oldFeeds }),
  });
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
