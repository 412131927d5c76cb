import type { AttackEvent, DetectedAttack } from './attack-event.ts';

/** Attacks on signups as named events, for the overview, the campaigns and alerts. */
export interface AttackStore {
  /** Events with a part in this time, the earliest first, at most 200. `from` included, `to` not. */
  within(time: { readonly from: number; readonly to: number }): Promise<readonly AttackEvent[]>;
  /** Null: unknown, or deleted. */
  find(id: string): Promise<AttackEvent | null>;
  /**
   * Finds attacks among the newest decisions and stores them. An attack that is known goes on; a new one begins. Several
   * processes may call it at once: each attack is one event.
   */
  detect(now: number): Promise<readonly AttackEvent[]>;
  /** Removes events that ended before. Returns how many. */
  deleteBefore(time: number): Promise<number>;
}

/** An attack that comes back later is a new event. */
export const SAME_EVENT_WITHIN_MS = 3 * 3_600_000;

/** Whether the detected attack is that event, or goes on with it. */
export function continues(event: AttackEvent, { kind, key, beganAt }: DetectedAttack): boolean {
  return event.kind === kind && event.key === key && beganAt - event.endedAt <= SAME_EVENT_WITHIN_MS;
}
