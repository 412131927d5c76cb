import type { Clock } from '../clock.ts';
import type { AuditAct, AuditDetail } from '../storage/audit/audit-log.ts';
import type { ApiKey } from '../storage/keys/api-key-store.ts';
import type { ActRecords } from '../storage/storage.ts';

/** The user who acts. */
export interface Actor {
  /** Null when the change comes from the command line. */
  readonly accountId: string | null;
  readonly name: string;
}

export const COMMAND_LINE: Actor = { accountId: null, name: 'command line' };

/** A key as the subject of an audit entry. Names can be reused, so the last four characters identify the key. */
export function keySubject({ name, lastFour }: Pick<ApiKey, 'name' | 'lastFour'>): string {
  return `"${name}" ending in ${lastFour}`;
}

/**
 * Writes to the audit log what `actor` did to `subject`: an account by its name, or a key. Call it with the records of
 * the same `Storage.act` that changed the subject, because the process may die between two transactions.
 */
export function recordAct(
  { records, clock }: { readonly records: Pick<ActRecords, 'audit'>; readonly clock: Clock },
  actor: Actor,
  entry: { readonly act: AuditAct; readonly subject: string; readonly detail?: AuditDetail },
): Promise<void> {
  const { act, subject, detail = {} } = entry;
  return records.audit.record({
    at: clock(),
    actorId: actor.accountId,
    actorName: actor.name,
    act,
    subject,
    detail,
  });
}
