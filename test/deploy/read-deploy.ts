import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { createExposition } from '../../src/telemetry/exposition.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
export const DEPLOY = join(PROJECT, 'deploy');

export function readDeploy(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8');
}

/** The only document of a YAML file, with aliases and merge keys resolved. */
export function readDeployYaml<T>(path: string): T {
  const documents = parseAllDocuments(readDeploy(path), { merge: true });
  const [document] = documents;
  if (!document || documents.length !== 1 || document.errors.length > 0) {
    throw new Error(`${path}: ${documents.length} documents, ${document?.errors.join()}`);
  }
  return document.toJS() as T;
}

export function deployFiles(folder: string, ending: string): readonly string[] {
  return readdirSync(join(DEPLOY, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

/** The queries of the board, with the time range that the board would insert. */
export function boardQueries(): readonly string[] {
  const { panels } = JSON.parse(readDeploy('grafana/gatekeeper.json')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*').replaceAll('$instance', '.*'),
    ),
  );
}

/** The names of all series on the page `/metrics`. */
export async function exposedNames(): Promise<ReadonlySet<string>> {
  const page = createExposition({
    ...{ metrics: createMetrics(), lagMs: () => 0, recordsQueueLength: () => 0, clock: () => 0 },
    status: () => ({ datasets: [], seesUntrustedForwarding: false, certificateExpiresAt: null }),
    isOld: () => false,
    engines: async () => ({ records: true, counters: true }),
    fleet: () => null,
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => [],
    exports: () => [],
  });
  const types = [...(await page.render()).matchAll(/^# TYPE (\w+) (\w+)/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}
