import { createHmac } from 'node:crypto';
import type { FleetStore } from '../storage/fleet/fleet-store.ts';
import { StorageError } from '../storage/storage-error.ts';

const FIXED_TEXT = 'gatekeeper fingerprint of the hash secret';
/** 64 bits tell two secrets apart and help no one to guess one that is random. */
const DIGITS = 16;

export function hashSecretFingerprint(secret: string): string {
  return createHmac('sha256', secret).update(FIXED_TEXT).digest('hex').slice(0, DIGITS);
}

/**
 * A node with another hash secret would find no mailbox, key no counter alike, and say nothing. The first node stores
 * the fingerprint.
 *
 * @throws StorageError with both fingerprints when the records were made with another secret.
 */
export async function keepHashSecret(fleet: FleetStore, secret: string): Promise<void> {
  const own = hashSecretFingerprint(secret);
  compare(own, await fleet.keepHashSecretFingerprint(own));
}

/** The same for a command, which stores nothing: a typing error must not lock the nodes out. */
export async function checkHashSecret(fleet: FleetStore, secret: string): Promise<void> {
  const own = hashSecretFingerprint(secret);
  compare(own, (await fleet.hashSecretFingerprint()) ?? own);
}

/** The same for a configuration whose records are not opened. @param stored The fingerprint of the records. */
export function compareHashSecret(secret: string, stored: string | null): void {
  const own = hashSecretFingerprint(secret);
  compare(own, stored ?? own);
}

function compare(own: string, stored: string): void {
  if (own === stored) return;
  throw new StorageError(
    `privacy.hash_secret is not the secret that these records were made with: its fingerprint is ${own}, and the records have ${stored}. ` +
      'Give all nodes the same secret. If the old one is lost or was replaced on purpose, stop all nodes and run ' +
      'DELETE FROM fleet_secrets in the database: no mailbox that is stored will be recognized again.',
  );
}
