import { AUDIT_ACTS, type AuditAct, type AuditQuery } from '../../storage/audit/audit-log.ts';
import type { DashboardContext } from '../router.ts';

/** The filter in the URL. Invalid values are ignored. */
export type AuditPageQuery = Omit<AuditQuery, 'limit'>;

const MAX_ID_LENGTH = 64;

export function readAuditQuery({ query }: DashboardContext): AuditPageQuery {
  const act = textOf(query.act);
  const actorId = textOf(query.actor);
  const before = textOf(query.before);
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

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
