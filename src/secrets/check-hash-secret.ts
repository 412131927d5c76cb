import { createHmac } from 'node:crypto';
import type { FleetStore } from '../storage/fleet/fleet-store.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Logger } from '../telemetry/logger.ts';

const FIXED_TEXT = 'gatekeeper fingerprint of the hash secret';
/** 64 bits are enough to distinguish two secrets, and too few to guess a random secret from them. */
const DIGITS = 16;

export function hashSecretFingerprint(secret: string): string {
  return createHmac('sha256', secret).update(FIXED_TEXT).digest('hex').slice(0, DIGITS);
}

/**
 * A node with another hash secret would not find any stored mailbox, and its counters would have other keys. No error
 * would show this. So the first node stores the fingerprint of its secret, and this check compares it.
 *
 * @throws StorageError with both fingerprints when the records were made with another secret.
 */
export async function keepHashSecret(fleet: FleetStore, secret: string): Promise<void> {
  const own = hashSecretFingerprint(secret);
  compare(own, await fleet.keepHashSecretFingerprint(own));
}

/**
 * The same check for a command. It does not store a fingerprint: a typing error in a command must not stop the nodes.
 */
export async function checkHashSecret(fleet: FleetStore, secret: string): Promise<void> {
  const own = hashSecretFingerprint(secret);
  compare(own, (await fleet.hashSecretFingerprint()) ?? own);
}

/**
 * SQLite accepts another secret, which the log reports once. The usual cause is a backup that was restored without its
 * `secrets.json`.
 */
export async function noteHashSecret(
  records: Pick<Storage, 'noteHashSecret'>,
  secret: string,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const own = hashSecretFingerprint(secret);
  const stored = await records.noteHashSecret(own);
  if (stored === null) return;
  log.warn(
    { fingerprint: own, stored },
    'the hash secret has changed: mailboxes that were stored with the other one, also those of lists, are not recognized. ' +
      'If this was not intended, restore secrets.json or privacy.hash_secret, and restart',
  );
}

/**
 * The same check for a configuration whose records are not open.
 *
 * @param stored The fingerprint of the records.
 */
export function compareHashSecret(secret: string, stored: string | null): void {
  const own = hashSecretFingerprint(secret);
  compare(own, stored ?? own);
}

function compare(own: string, stored: string): void {
  if (own === stored) return;
  throw new StorageError(
    `privacy.hash_secret is not the secret of these records: its fingerprint is ${own}, and the records have ${stored}. ` +
      'Give all nodes the same secret. If the old one is lost or was replaced on purpose, stop all nodes and run ' +
      'DELETE FROM fleet_secrets in the database: no mailbox that is stored will be recognized again.',
  );
}
