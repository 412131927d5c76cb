import { incidentPath } from '../../exports/incident-path.ts';
import type { AttackEvent } from '../../storage/attacks/attack-event.ts';
import { AUDIT_ACTS, type AuditAct, type StoredAuditEntry } from '../../storage/audit/audit-log.ts';
import type { Incident, IncidentKind } from '../../storage/incidents/incident.ts';
import type { Storage } from '../../storage/storage.ts';
import { describeAttack } from '../campaigns/describe-attack.ts';
import { formatShare } from './format.ts';

/** Something that happened on the site: an attack, a warning, or a change by an operator. */
export interface Happening {
  readonly kind: 'attack' | 'warning' | 'change';
  readonly title: string;
  /** `97 % stopped`; null for entries that are not attacks. */
  readonly result: string | null;
  readonly href: string;
  readonly from: number;
  /** The end; equal to `from` for a single moment. */
  readonly to: number;
}

/** The changes that affect decisions, and so may explain a change of the figures. */
const MARKED_ACTS = [
  'policy.changed',
  'list.entry_added',
  'list.entries_added',
  'list.entry_removed',
  'campaign.denied',
] as const satisfies readonly AuditAct[];
const MAX_OF_AN_ACT = 20;

const WARNINGS: Readonly<Record<IncidentKind, string>> = {
  refusals_jump: 'Far more signups were refused than usual',
  degraded_jump: 'Far more decisions were degraded than usual',
  feeds_old: 'Feeds were old',
  data_old: 'Built-in data was old',
  unjudged_signups: 'Signups were not judged',
};

/** The events of this time, the newest first. */
export async function readHappenings(
  { attacks, incidents, audit }: Pick<Storage, 'attacks' | 'incidents' | 'audit'>,
  time: { readonly from: number; readonly to: number },
): Promise<readonly Happening[]> {
  const events = await attacks.within(time);
  const warnings = await incidents.within(time);
  const changes: StoredAuditEntry[] = [];
  // Each action is read by an index in the order of time.
  for (const act of MARKED_ACTS)
    changes.push(...(await audit.page({ before: null, limit: MAX_OF_AN_ACT, act })));
  const marked = changes.filter(({ at }) => at >= time.from && at < time.to);
  return [
    ...events.map(ofAttack),
    ...warnings.map(ofIncident),
    ...marked.filter((entry) => !isRepeated(entry, marked)).map(ofChange),
  ].sort((a, b) => b.from - a.from);
}

function ofAttack(event: AttackEvent): Happening {
  const { title, href } = describeAttack(event);
  const { beganAt, endedAt, stopped, attempts } = event;
  return {
    kind: 'attack',
    title,
    href,
    from: beganAt,
    to: endedAt,
    result: `${formatShare(stopped, attempts)} stopped`,
  };
}

function ofIncident(incident: Incident): Happening {
  const { kind, key, beganAt, seenAt } = incident;
  const title = key === '' ? WARNINGS[kind] : `${WARNINGS[kind]}: ${key}`;
  return { kind: 'warning', title, result: null, href: incidentPath(incident), from: beganAt, to: seenAt };
}

function ofChange({ act, actorName, subject, at }: StoredAuditEntry): Happening {
  const title =
    act === 'policy.changed'
      ? `Another policy: ${subject.slice(0, 12)}`
      : `${actorName} ${AUDIT_ACTS[act]}: ${subject}`;
  return { kind: 'change', title, result: null, href: `/audit?act=${act}`, from: at, to: at };
}

/** When several processes start at once, each may write the same policy. */
function isRepeated(entry: StoredAuditEntry, all: readonly StoredAuditEntry[]): boolean {
  if (entry.act !== 'policy.changed') return false;
  const before = all
    .filter(({ act, id }) => act === 'policy.changed' && id < entry.id)
    .sort((a, b) => b.id - a.id)[0];
  return before?.subject === entry.subject;
}
