import { Readable } from 'node:stream';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { codesOf, readCodes } from '../../storage/decisions/decision-row.ts';
import type { DecisionFilter } from '../../storage/decisions/search/decision-filter.ts';
import { type CsvValue, csvLines } from '../csv.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';

const EXPORT_FORMATS = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

const COLUMNS: readonly (readonly [name: string, read: (decision: StoredDecision) => CsvValue])[] = [
  ['processed_at', ({ processedAt }) => new Date(processedAt).toISOString()],
  ['request_id', ({ requestId }) => requestId],
  ['door', ({ door }) => door],
  ['account_id', ({ accountId }) => accountId],
  ['key_id', ({ keyId }) => keyId],
  ['test', ({ test }) => test],
  ['route', ({ route }) => route],
  ['trust_score', ({ trustScore }) => trustScore],
  ['risk_level', ({ riskLevel }) => riskLevel],
  ['action', ({ action }) => action],
  ['wanted_action', ({ wantedAction }) => wantedAction],
  ['mode', ({ mode }) => mode],
  ['degraded', ({ degraded }) => degraded],
  ['domain', ({ identity }) => identity.domain],
  ['network', ({ identity }) => identity.network],
  ['mailbox', ({ identity }) => identity.mailbox],
  ['reasons', (decision) => codesIn(decision).join(' ')],
  ['outcome', ({ outcome }) => outcome],
  ['label', ({ label }) => label],
  ['policy_revision', ({ policyRevision }) => policyRevision],
  ['data_revision', ({ dataRevision }) => dataRevision],
  ['email', ({ plain }) => plain?.email ?? null],
  ['ip_address', ({ plain }) => plain?.ip ?? null],
  ['user_agent', ({ plain }) => plain?.userAgent ?? null],
  ['repeats', ({ repeats }) => repeats],
  ['last_seen_at', ({ lastSeenAt }) => (lastSeenAt === null ? null : new Date(lastSeenAt).toISOString())],
];

/**
 * Answers with a file of all matching decisions, newest first. It reads some hundred decisions at a time, no faster
 * than the client receives them, and stops when the client disconnects.
 */
export function sendExport(
  context: DashboardContext,
  { records, clock }: Pick<DashboardDependencies, 'records' | 'clock'>,
  {
    filter,
    format,
    name,
  }: { readonly filter: DecisionFilter; readonly format: ExportFormat; readonly name: string },
): void {
  const now = clock();
  // Only decisions up to now are exported. Otherwise new decisions could keep the export running.
  const bounded = { ...filter, to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, now + 1) };
  const day = new Date(now).toISOString().slice(0, 10);
  context.set('Content-Disposition', `attachment; filename="gatekeeper-${name}-${day}.${format}"`);
  context.type = EXPORT_FORMATS[format];
  const lines = format === 'csv' ? asCsv : asNdjson;
  context.body = Readable.from(lines(records.decisionSearch.scan(bounded)), { objectMode: false });
}

type Chunks = AsyncIterable<readonly StoredDecision[]>;

async function* asCsv(chunks: Chunks): AsyncGenerator<string> {
  yield csvLines([COLUMNS.map(([name]) => name)]);
  for await (const decisions of chunks) {
    if (decisions.length > 0) {
      yield csvLines(decisions.map((decision) => COLUMNS.map(([, read]) => read(decision))));
    }
  }
}

async function* asNdjson(chunks: Chunks): AsyncGenerator<string> {
  for await (const decisions of chunks) {
    const lines = decisions.map((decision) => `${JSON.stringify(toJson(decision))}\n`);
    if (lines.length > 0) yield lines.join('');
  }
}

function codesIn({ examinations, lists }: StoredDecision): readonly string[] {
  return readCodes(codesOf(examinations, lists));
}

function toJson(decision: StoredDecision): object {
  const { examinations, lists, identity, elapsedMs } = decision;
  return {
    ...Object.fromEntries(COLUMNS.map(([name, read]) => [name, read(decision)])),
    reasons: codesIn(decision),
    template: identity.template,
    browser: identity.userAgent,
    lists,
    examinations,
    elapsed_ms: elapsedMs,
  };
}
