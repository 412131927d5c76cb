import { nameOfPattern } from '../assessment/pattern.ts';
import type { AuditEntry } from '../storage/audit/audit-log.ts';
import type { StoredListEntry } from '../storage/lists/list-entry-store.ts';
import { isTemplate, type ReadRequest } from './list-requests.ts';

/** The person who changes the lists. `id` is null for a change without a signed-in user. */
export interface ListActor {
  readonly id: string | null;
  readonly name: string;
}

const NAMED_AT_MOST = 20;

/** The line of the audit log for entries that were added to the lists. */
export function auditOfAdding(requests: readonly ReadRequest[], actor: ListActor, at: number): AuditEntry {
  const who = { at, actorId: actor.id, actorName: actor.name };
  const [first] = requests;
  if (first && requests.length === 1) {
    const { list, expiresAt } = first.record;
    return {
      ...who,
      act: 'list.entry_added',
      subject: nameOf(first.record),
      detail: { list, until: untilOf(expiresAt) },
    };
  }
  const denied = requests.filter(({ record }) => record.list === 'deny').length;
  const named = requests.slice(0, NAMED_AT_MOST).map(({ record }) => nameOf(record));
  return {
    ...who,
    act: 'list.entries_added',
    subject: `${requests.length} entries`,
    detail: { denied, allowed: requests.length - denied, first: named.join(', ') },
  };
}

export function auditOfRemoving(entry: StoredListEntry, actor: ListActor, at: number): AuditEntry {
  return {
    at,
    actorId: actor.id,
    actorName: actor.name,
    act: 'list.entry_removed',
    subject: nameOf(entry),
    detail: { list: entry.list, until: untilOf(entry.expiresAt) },
  };
}

/** The audit log remains when a person's data is erased, so for a mailbox it contains only the domain. */
function nameOf({ kind, value, typed }: Pick<StoredListEntry, 'kind' | 'value' | 'typed'>): string {
  if (kind === 'pattern')
    return isTemplate(value) ? 'the pattern of a campaign' : `pattern ${nameOfPattern(value)}`;
  if (kind !== 'mailbox') return value;
  return typed === null ? 'a mailbox' : `a mailbox at ${typed.slice(typed.lastIndexOf('@') + 1)}`;
}

function untilOf(expiresAt: number | null): string {
  return expiresAt === null ? 'removed' : new Date(expiresAt).toISOString();
}
