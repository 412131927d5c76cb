export interface DomainUserTables {
  domain_users: DomainUsersTable;
}

/** See `domain-user-store.ts`. */
interface DomainUsersTable {
  /** Registrable, plain, as decisions have it. */
  domain: string;
  /** The pseudonym of the canonical mailbox. */
  mailbox: string;
  /** /24 or /48, plain, as decisions have it. */
  network: string;
  noted_at: number;
}
