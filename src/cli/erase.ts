import { parseMailbox } from '../addresses/mailbox.ts';
import { budgetedMailbox } from '../assessment/budgeted-mailbox.ts';
import { identifyMailbox, type Pseudonymize } from '../assessment/identity.ts';
import type { Erasure } from '../storage/retention/erasure.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { ExitCode } from './command-context.ts';

export interface EraseContext {
  readonly records: Storage;
  /** With the secret that the server uses: another one finds nothing. */
  readonly pseudonymize: Pseudonymize;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** `gatekeeper erase <email>`: removes all that is stored about a mailbox, under any of its spellings. */
export async function erase(email: string, context: EraseContext): Promise<ExitCode> {
  const { records, pseudonymize, write, writeError } = context;
  const mailbox = parseMailbox(email.trim());
  if (!mailbox) {
    writeError('That is not an email address.\n');
    return 1;
  }
  const { mailbox: mailboxHash, spelling: spellingHash } = identifyMailbox(mailbox, pseudonymize);
  const isAddress = (text: string) => {
    const read = parseMailbox(text);
    return read !== null && identifyMailbox(read, pseudonymize).mailbox === mailboxHash;
  };
  try {
    const budgetHash = pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`);
    const erasure = await records.erase({ mailboxHash, spellingHash, budgetHash, isAddress });
    const { decisions } = erasure;
    write(`Erased ${decisions} ${decisions === 1 ? 'decision' : 'decisions'} about this mailbox.\n`);
    const exitCode = tellRest(erasure, writeError);
    if (exitCode !== 0) return exitCode;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    writeError(`${error.message}\nNot all may be erased: run the command again.\n`);
    return 2;
  }
  writeError(
    'A running server forgets its counts (keyed hashes, in memory) within 24 hours, or when it restarts.\n',
  );
  return 0;
}

/** What else happened, and what is left to be done. */
function tellRest(erasure: Erasure, writeError: EraseContext['writeError']): ExitCode {
  if (erasure.accountsClosed > 0) {
    writeError('The dashboard account of this mailbox is closed: its keys are refused within a second.\n');
  }
  if (erasure.listEntriesLeft > 0) {
    const { listEntriesLeft: left } = erasure;
    writeError(
      `${left} list ${left === 1 ? 'entry' : 'entries'} about this mailbox stay, under a keyed hash of it: take them off the lists if they should go, too.\n`,
    );
  }
  if (erasure.accountsLeft > 0) {
    writeError(
      'The dashboard account of this mailbox stays: it is the last operator. Make somebody else one (gatekeeper accounts set-role), then run this command again.\n',
    );
    return 1;
  }
  if (!erasure.isLogEmptied) {
    writeError(
      'Others are reading the database, and its log may still hold what was erased: run the command again.\n',
    );
    return 2;
  }
  return 0;
}
