/** Everything that a person's mailbox is stored under. */
export interface ErasedPerson {
  readonly mailboxHash: string;
  readonly spellingHash: string;
  /** What mails to it are budgeted under. */
  readonly budgetHash: string;
  /** Whether a text is that mailbox's address, in whatever spelling. */
  isAddress(text: string): boolean;
}

export interface Erasure {
  readonly decisions: number;
  /** Entries of the lists, made by operators, which go on holding under the keyed hash. */
  readonly listEntriesLeft: number;
  readonly accountsClosed: number;
  /** Accounts that cannot be closed: nobody would be left as operator. */
  readonly accountsLeft: number;
  /** False: others read the write-ahead log all the time, and what is erased may still stand in it. */
  readonly isLogEmptied: boolean;
}
