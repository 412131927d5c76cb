import { AUDIT_ACTS, type AuditAct, type AuditQuery } from '../../storage/audit/audit-log.ts';
import { queryText } from '../query-text.ts';
import type { DashboardContext } from '../router.ts';

/** The filter in the URL. Invalid values are ignored. */
export type AuditPageQuery = Omit<AuditQuery, 'limit'>;

const MAX_ID_LENGTH = 64;

export function readAuditQuery(context: DashboardContext): AuditPageQuery {
  const act = queryText(context, 'act');
  const actorId = queryText(context, 'actor');
  const before = queryText(context, 'before');
  return {
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
    ...(isAct(act) && { act }),
    ...(actorId !== '' && actorId.length <= MAX_ID_LENGTH && { actorId }),
  };
}

export function auditHref(path: string, { before, act, actorId }: AuditPageQuery): string {
  const query = new URLSearchParams({
    ...(act !== undefined && { act }),
    ...(actorId !== undefined && { actor: actorId }),
    ...(before !== null && { before: String(before) }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

function isAct(text: string): text is AuditAct {
  return Object.hasOwn(AUDIT_ACTS, text);
}
