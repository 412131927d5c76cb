/** How decisions store a mailbox. */
export interface MailboxHashes {
  readonly mailboxHash: string;
  readonly spellingHash: string;
}

/** The decisions of a mailbox that are erased. */
export interface ErasedDecisions extends MailboxHashes {
  /** Only those from this network. Left out: all. */
  readonly network?: string;
}

/** All forms in which a person's mailbox is stored. */
export interface ErasedPerson extends MailboxHashes {
  /** The pseudonym under which the hourly mail budgets count it. */
  readonly budgetHash: string;
  /** Whether a text is an address of that mailbox, in any spelling. */
  isAddress(text: string): boolean;
}

export interface Erasure {
  readonly decisions: number;
  /** List entries of operators that stay in force under the keyed hash. */
  readonly listEntriesLeft: number;
  readonly accountsClosed: number;
  /** Accounts that were not closed: at least one operator is required. */
  readonly accountsLeft: number;
  /** False when other processes read the write-ahead log all the time: it may still hold erased data. */
  readonly isLogEmptied: boolean;
}
