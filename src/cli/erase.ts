import { parseMailbox } from '../addresses/email-address.ts';
import { budgetedMailbox } from '../assessment/budgeted-mailbox.ts';
import { identifyMailbox, type Pseudonymize } from '../assessment/identity.ts';
import type { Erasure } from '../storage/retention/erasure.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { ExitCode } from './command-context.ts';

export interface EraseContext {
  readonly records: Storage;
  /** Computes pseudonyms with the secret of the server. Another secret finds no record. */
  readonly pseudonymize: Pseudonymize;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** `gatekeeper erase <email>`: removes all stored data about a mailbox, in all its spellings. */
export async function erase(email: string, context: EraseContext): Promise<ExitCode> {
  const { records, pseudonymize, write, writeError } = context;
  const mailbox = parseMailbox(email.trim());
  if (!mailbox) {
    writeError('This is not an email address.\n');
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
    writeError(`${error.message}\nSome data may remain. Run the command again.\n`);
    return 2;
  }
  writeError(
    'A running server keeps counts in memory (by keyed hash) for up to 24 hours or until it restarts.\n',
  );
  return 0;
}

/** Reports other changes and the remaining steps. */
function tellRest(erasure: Erasure, writeError: EraseContext['writeError']): ExitCode {
  if (erasure.accountsClosed > 0) {
    writeError('The dashboard account of this mailbox was closed. Its keys are refused within a second.\n');
  }
  if (erasure.listEntriesLeft > 0) {
    const { listEntriesLeft: left } = erasure;
    writeError(
      left === 1
        ? '1 list entry about this mailbox remains, stored under its keyed hash. Remove it from the lists if you no longer need it.\n'
        : `${left} list entries about this mailbox remain, stored under its keyed hash. Remove them from the lists if you no longer need them.\n`,
    );
  }
  if (erasure.accountsLeft > 0) {
    writeError(
      'The dashboard account of this mailbox remains because it is the last operator. Make another user an operator (gatekeeper accounts set-role), then run this command again.\n',
    );
    return 1;
  }
  if (!erasure.isLogEmptied) {
    writeError(
      'Other processes are reading the database, so its log may still contain erased data. Run the command again.\n',
    );
    return 2;
  }
  return 0;
}
