import type { Incident } from '../storage/incidents/incident.ts';

/** The path in the dashboard that shows the subject of an incident. */
export function incidentPath({ kind, facts, beganAt, seenAt }: Incident): string {
  if (kind === 'feeds_old' || kind === 'data_old') return '/routes#data-sets';
  if (kind === 'unjudged_signups') return '/overview#unjudged';
  const time = {
    from: new Date(Number(facts.since ?? beganAt)).toISOString(),
    to: new Date(seenAt + 1).toISOString(),
  };
  return `/decisions?${new URLSearchParams(kind === 'refusals_jump' ? { ...time, level: 'high' } : time)}`;
}
