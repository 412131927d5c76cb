import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Suite = 'core' | 'full' | 'long';

/**
 * The command that runs a test file, by its name alone: 'core' for `npm test`, 'full' for `npm run test:full`, 'long' for
 * `npm run test:long`. Full are browser suites, suites marked as slow, and end-to-end suites that are not marked as core or long.
 */
export function suiteOf(file: string): Suite {
  if (/\.long\.test\.tsx?$/.test(file)) return 'long';
  if (/\.(browser|full)\.test\.tsx?$/.test(file)) return 'full';
  if (file.startsWith('test/end-to-end/') && !/\.core\.test\.tsx?$/.test(file)) return 'full';
  return 'core';
}

/** Core suites of code that depends on Node's sockets, streams, parsers and threads. CI also runs them with a newer Node. */
const OF_NODE =
  /^test\/(end-to-end|gate\/(transport|large-uploads|spool-files)|http|library|scripts\/ensure-built|workers)\b/;

export function dependsOnNode(file: string): boolean {
  return suiteOf(file) === 'core' && OF_NODE.test(file);
}

/** The full and long suites that `npm run prove` runs again with full counts: kills, faults of engines, reloads, races between nodes, random input, pages in all looks, the image with its own packages. */
const PROOF =
  /(^|[-/])(kill|reload|full-disk|durability|faults|races-postgres|changes|chaos|outage|exports|workers|signals|histories|fuzz|differential|copied-records|engines-agree|rollups-postgres|every-page|verify-pages|image)(\.full|\.long|\.browser)?\.test\.ts$/;
/** Suites of `npm test` that it runs again for their counts. */
const CORE_PROOF =
  /\/(damaged-sqlite-file|disconnected-clients|hostile-bodies|hints|open-tracer|transport)\.test\.ts$/;
export const PROOF_COUNTS = {
  GATEKEEPER_KILL_ROUNDS: '200',
  GATEKEEPER_RELOADS: '50',
  GATEKEEPER_RACE_ROUNDS: '100',
  GATEKEEPER_CHANGE_ROUNDS: '200',
  GATEKEEPER_CHAOS_SECONDS: '600',
  GATEKEEPER_CHAOS_RATE: '300',
  GATEKEEPER_FULL_PROOF: '1',
  CI: 'true',
} as const;

export function isProof(file: string): boolean {
  return suiteOf(file) === 'core' ? CORE_PROOF.test(file) : PROOF.test(file);
}

/** Every test file of the project, as a path from its root. */
export function listTestFiles(root: string): readonly string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort();
}
