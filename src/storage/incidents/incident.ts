/** The events that operators should know besides attacks. The names are stored, so never rename or reuse a name. */
export type IncidentKind = 'refusals_jump' | 'degraded_jump' | 'feeds_old' | 'data_old' | 'unjudged_signups';

/** Small facts about an incident, for its message. Never an address of a person. */
export type IncidentFacts = Readonly<Record<string, string | number>>;

/** A condition that is true now. */
export interface Condition {
  readonly kind: IncidentKind;
  /** Distinguishes conditions of one kind, such as the path of a form. Empty when the kind has only one condition. */
  readonly key: string;
  readonly facts: IncidentFacts;
}

/** A condition from its first sight to its last. */
export interface Incident extends Condition {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
  readonly seenAt: number;
}
