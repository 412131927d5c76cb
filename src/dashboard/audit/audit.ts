import { Readable } from 'node:stream';
import { AUDIT_ACTS, type StoredAuditEntry } from '../../storage/audit/audit-log.ts';
import { operatorOnly } from '../access.ts';
import { csvLines } from '../csv.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendAuditPage } from './audit-page.tsx';
import { type AuditPageQuery, auditHref, readAuditQuery } from './audit-query.ts';

const PAGE_ROWS = 100;
const STEP_ROWS = 1_000;
const COLUMNS = ['at', 'who', 'account', 'act', 'meaning', 'subject', 'detail'];

/** The audit log, for operators. */
export function registerAudit(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/audit', operatorOnly, (context) => show(context, dependencies));
  router.get('/audit/export.csv', operatorOnly, (context) => {
    context.set('Content-Disposition', 'attachment; filename="gatekeeper-audit.csv"');
    context.type = 'text/csv; charset=utf-8';
    context.body = Readable.from(exportEntries(dependencies, readAuditQuery(context)), { objectMode: false });
  });
}

async function show(context: DashboardContext, { records }: DashboardDependencies): Promise<void> {
  const query = readAuditQuery(context);
  const entries = await records.audit.page({ ...query, limit: PAGE_ROWS + 1 });
  const shown = entries.slice(0, PAGE_ROWS);
  const last = entries.length > PAGE_ROWS ? shown.at(-1) : undefined;
  sendAuditPage(context, {
    entries: shown,
    query,
    olderHref: last ? auditHref('/audit', { ...query, before: last.id }) : null,
  });
}

async function* exportEntries(
  { records }: DashboardDependencies,
  query: AuditPageQuery,
): AsyncGenerator<string> {
  yield csvLines([COLUMNS]);
  for (let { before } = query; ; ) {
    const entries: readonly StoredAuditEntry[] = await records.audit.page({
      ...query,
      before,
      limit: STEP_ROWS,
    });
    if (entries.length > 0) yield csvLines(entries.map(toRow));
    const last = entries.at(-1);
    if (!last || entries.length < STEP_ROWS) return;
    before = last.id;
  }
}

function toRow({ at, actorName, actorId, act, subject, detail }: StoredAuditEntry): (string | null)[] {
  const meaning = Object.hasOwn(AUDIT_ACTS, act) ? AUDIT_ACTS[act] : null;
  return [new Date(at).toISOString(), actorName, actorId, act, meaning, subject, JSON.stringify(detail)];
}
