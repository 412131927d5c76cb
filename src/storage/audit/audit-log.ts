/** The actions of administrators, with a text for each. The names are stored, so never rename or reuse a name. */
export const AUDIT_ACTS = {
  'account.created': 'created an account',
  'account.invited': 'invited a user',
  'account.invitation_withdrawn': 'withdrew an invitation',
  'account.role_set': 'changed the role of an account',
  'account.plan_set': 'changed the plan of an account',
  'account.email_set': 'changed the email of an account',
  'account.password_set': 'set the password of an account',
  'account.reset_link_made': 'created a link for a new password',
  'account.closed': 'closed an account',
  'two_factor.turned_on': 'turned two-factor on',
  'two_factor.turned_off': 'turned two-factor off',
  'two_factor.removed': 'removed the second factor of a user',
  'two_factor.recovery_codes_made': 'created new recovery codes',
  'two_factor.recovery_code_used': 'used a recovery code',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'session.revoked': 'ended a session',
  'key.created': 'created an API key',
  'key.rotated': 'replaced an API key with a new one',
  'key.revoked': 'revoked an API key',
  'list.entry_added': 'added an entry to a list',
  'list.entries_added': 'added several entries to the lists',
  'list.entry_removed': 'removed an entry from a list',
  'list.exported': 'exported the lists',
  'decision.labelled': 'labelled a decision',
  'decision.exported': 'exported decisions',
  'signup.let_in': 'let a signup in',
  'signup.let_in_failed': 'could not let a signup in',
  'signup.mailed_again': 'sent the mail of a signup again',
  'signup.extended': 'extended the time of a signup',
  'signup.refused': 'refused a signup',
  'signup.restored': 'undid a change of a signup',
  'policy.changed': 'changed the policy',
  'campaign.denied': 'denied a campaign',
  'campaign.exported': 'exported a campaign',
} as const;

export type AuditAct = keyof typeof AUDIT_ACTS;

/** Small facts about the action. They never contain a secret or a person's plain email or IP address. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditEntry {
  readonly at: number;
  /** The acting account. Null for the command line, Gatekeeper itself or the owner of a mailbox. */
  readonly actorId: string | null;
  /** The name at that time: an account may be renamed or closed later. */
  readonly actorName: string;
  readonly act: AuditAct;
  /** The object of the action, as text: a key's name and last four, a list entry, an account's name. */
  readonly subject: string;
  readonly detail: AuditDetail;
}

export interface StoredAuditEntry extends AuditEntry {
  /** Grows with every entry. */
  readonly id: number;
}

export interface AuditQuery {
  /** Only entries with a smaller id than this. Null begins with the newest entry. */
  readonly before: number | null;
  readonly limit: number;
  readonly actorId?: string;
  readonly act?: AuditAct;
}

/** The actions of administrators. Entries are never changed, except for an erasure; expired ones are deleted. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  page(query: AuditQuery): Promise<readonly StoredAuditEntry[]>;
  /** Removes entries before that time, and the oldest entries beyond a million. Returns their number. */
  deleteBefore(time: number): Promise<number>;
}

/**
 * Long enough for a yearly review. May exceed the retention of decisions: the log contains no plain email or IP address
 * of a person.
 */
export const AUDIT_RETENTION_MS = 400 * 86_400_000;
