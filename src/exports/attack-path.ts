import type { AttackEvent } from '../storage/attacks/attack-event.ts';

/** The path of an attack in the dashboard: the campaign, or the decisions with the finding. */
export function attackPath({ kind, key, beganAt, endedAt }: AttackEvent): string {
  const to = endedAt + 1;
  if (kind !== 'finding') {
    return `/campaigns/one?${new URLSearchParams({ by: kind, key, from: String(beganAt), to: String(to) })}`;
  }
  const time = { from: new Date(beganAt).toISOString(), to: new Date(to).toISOString() };
  return `/decisions?${new URLSearchParams({ ...time, code: key })}`;
}
