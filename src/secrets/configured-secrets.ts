import type { Config } from '../config/config.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';
import { StorageError } from '../storage/storage-error.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';
import { deriveSecrets, openSecrets, type Secrets } from './open-secrets.ts';

type SecretSettings = Pick<Config, 'privacy' | 'verification' | 'assertion' | 'proxy' | 'storage'>;

const COMMAND = 'openssl rand -base64 32';

/**
 * Nodes on PostgreSQL share their secrets through the configuration: the other nodes would not know a secret that one
 * node generates.
 *
 * @returns a sentence for each required secret that the configuration does not contain, with the command that makes
 * one.
 */
export function findMissingSecrets(config: SecretSettings): readonly string[] {
  const { privacy, verification, assertion, proxy, storage } = config;
  if (!isPostgresUrl(storage.records)) return [];
  const missing = [
    ...(privacy.hash_secret === null ? ['privacy.hash_secret'] : []),
    ...(proxy && verification.hold_secrets.length === 0 ? ['verification.hold_secrets'] : []),
    ...(proxy && assertion.keys.length === 0 ? ['assertion.keys'] : []),
  ];
  return missing.map(
    (place) =>
      `${place}: missing; nodes with records in PostgreSQL share their secrets through the configuration. Make one: ${COMMAND}`,
  );
}

/**
 * With SQLite, the secrets come from the storage folder; a hash secret in the configuration replaces the stored one.
 * With PostgreSQL, no file is read or written: the other secrets are derived from the hash secret, and a gate uses the
 * secrets of the configuration.
 *
 * @throws StorageError when a file cannot be used, or secrets are missing.
 */
export async function openConfiguredSecrets(config: SecretSettings): Promise<Secrets> {
  const { privacy, storage } = config;
  if (isPostgresUrl(storage.records)) {
    const hashSecret = givenHashSecret(config);
    return { ...deriveSecrets(Buffer.from(hashSecret)), hashSecret };
  }
  const secrets = await openSecrets(storageFolderOf(storage.records));
  return { ...secrets, hashSecret: privacy.hash_secret ?? secrets.hashSecret };
}

/** Returns only the hash secret, for commands. A configured hash secret needs no file. */
export async function openHashSecret(config: SecretSettings): Promise<string> {
  const { privacy, storage } = config;
  if (isPostgresUrl(storage.records)) return givenHashSecret(config);
  return privacy.hash_secret ?? (await openSecrets(storageFolderOf(storage.records))).hashSecret;
}

function givenHashSecret(config: SecretSettings): string {
  const { hash_secret } = config.privacy;
  if (hash_secret === null) throw new StorageError(findMissingSecrets(config).join('\n'));
  return hash_secret;
}
