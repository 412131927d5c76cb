/** What the signups of an attack have in common. `finding`: a reason code, such as `tor_ip`, far more often than usual. */
export type AttackKind = 'domain' | 'template' | 'finding' | 'network' | 'cohort';

/** The counted attempts of an attack. */
export interface AttackCounts {
  readonly attempts: number;
  /** Different mailboxes. */
  readonly mailboxes: number;
  /**
   * Attempts that did not pass: refused, or sent to verification and not verified. In monitor mode, no attempt is
   * stopped.
   */
  readonly stopped: number;
  /** Milliseconds since the epoch, of the first and the last attempt. */
  readonly beganAt: number;
  readonly endedAt: number;
}

/** A group of signups that looks like an attack. It continues while new attempts of the group arrive. */
export interface AttackEvent extends AttackCounts {
  readonly id: string;
  readonly kind: AttackKind;
  /** The value for `kind`: the domain, the network, the pseudonym of the template, the style, or the reason code. */
  readonly key: string;
  /** The pattern in plain text, `promo.user#`, or the key. Null for a template whose text is unknown. */
  readonly name: string | null;
}

/** An attack as it is detected, before it is stored. */
export type DetectedAttack = Omit<AttackEvent, 'id'>;
