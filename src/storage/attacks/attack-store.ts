import type { AttackEvent, DetectedAttack } from './attack-event.ts';

/** Attacks on signups as named events, for the overview, the campaigns and alerts. */
export interface AttackStore {
  /** At most 200 events that overlap this time, the earliest first. `from` is included, `to` is not. */
  within(time: { readonly from: number; readonly to: number }): Promise<readonly AttackEvent[]>;
  /** Null when the event is unknown or deleted. */
  find(id: string): Promise<AttackEvent | null>;
  /**
   * Finds attacks among the newest decisions and stores them. A known attack continues, and a new attack begins an
   * event. Several processes may call it at once: each attack is still one event.
   */
  detect(now: number): Promise<readonly AttackEvent[]>;
  /** Removes events that ended before that time. Returns their number. */
  deleteBefore(time: number): Promise<number>;
}

/** An attack that comes back later is a new event. */
export const SAME_EVENT_WITHIN_MS = 3 * 3_600_000;

/** Whether the detected attack is that event or continues it. */
export function continues(event: AttackEvent, { kind, key, beganAt }: DetectedAttack): boolean {
  return event.kind === kind && event.key === key && beganAt - event.endedAt <= SAME_EVENT_WITHIN_MS;
}
