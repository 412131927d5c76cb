import { parseMailbox } from '../addresses/mailbox.ts';
import { identifyMailbox, type Pseudonymize } from '../assessment/identity.ts';
import type { Records } from '../records/records.ts';
import { RecordsError } from '../records/records-error.ts';
import type { ExitCode } from './command-context.ts';

export interface EraseContext {
  readonly records: Records;
  /** With the secret that the server uses: another one finds nothing. */
  readonly pseudonymize: Pseudonymize;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** `gatekeeper erase <email>`: removes what is stored about a mailbox, under any of its spellings. */
export async function erase(email: string, context: EraseContext): Promise<ExitCode> {
  const { records, pseudonymize, write, writeError } = context;
  const mailbox = parseMailbox(email.trim());
  if (!mailbox) {
    writeError('That is not an email address.\n');
    return 1;
  }
  const { mailbox: mailboxHash, spelling: spellingHash } = identifyMailbox(mailbox, pseudonymize);
  try {
    const erased = await records.decisions.erase({ mailboxHash, spellingHash });
    write(`Erased ${erased} ${erased === 1 ? 'decision' : 'decisions'} about this mailbox.\n`);
  } catch (error) {
    if (!(error instanceof RecordsError)) throw error;
    writeError(`${error.message}\nNot all may be erased: run the command again.\n`);
    return 2;
  }
  writeError(
    'A running server forgets its counts (keyed hashes, in memory) within 24 hours, or when it restarts.\n',
  );
  return 0;
}
