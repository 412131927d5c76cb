import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { reasonOf } from '../config/read-text-file.ts';
import { findUnsupported } from '../config/unsupported.ts';
import { checkNetworkFiles } from '../datasets/network-files.ts';
import { checkLogTarget } from '../exports/check-log-target.ts';
import { createSigner } from '../gate/gate-headers.ts';
import { readBlockPage } from '../gate/settings.ts';
import { nearestExisting } from '../make-folder.ts';
import { compareHashSecret } from '../secrets/check-hash-secret.ts';
import { findMissingSecrets } from '../secrets/configured-secrets.ts';
import { readSecrets } from '../secrets/open-secrets.ts';
import { checkRecords } from '../storage/check-records.ts';
import { isPostgresUrl, parsePostgresUrl } from '../storage/engine/postgres-url.ts';
import { readStoredHashSecret } from '../storage/fleet/read-stored-hash-secret.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';
import { openSite } from '../web/site.ts';

/**
 * The problems that stop a start although the configuration is valid, one sentence each: settings, files and folders.
 */
export async function findUnusable(config: Config): Promise<readonly string[]> {
  const unreadable = findUnreadableFiles(config);
  const unsupported = [...findUnsupported(config), ...findMissingSecrets(config)];
  if (unreadable.length > 0) return [...unsupported, ...unreadable];
  const { proxy, site, datasets, assertion, log, storage } = config;
  const tries = [
    ...(proxy?.tls ? [() => checkTls(proxy.tls)] : []),
    ...(proxy?.routes ?? []).map(
      ({ name, block_page }) =>
        () =>
          block_page && readBlockPage(name, block_page),
    ),
    () => openSite(site),
    ...(proxy ? assertion.keys.map((key) => () => createSigner([key], '')) : []),
    () => checkNetworkFiles(datasets),
    () => log.decisions.to !== null && checkLogTarget(log.decisions.to),
    () =>
      isPostgresUrl(storage.records)
        ? parsePostgresUrl(storage.records)
        : checkStorageFolder(storageFolderOf(storage.records)),
  ];
  const found = await Promise.all(tries.map(problemOf));
  return [...unsupported, ...found.flatMap((problem) => problem ?? [])];
}

/** The reason why a start refuses the records, as a sentence. Null when the start accepts them or waits for them. */
export function findRefusedRecords({ storage }: Config): Promise<string | null> {
  return problemOf(() => checkRecords(storage.records));
}

/** The reason why a start refuses shared counters, as a sentence. Null when the start accepts them, or they do not answer. */
export async function findRefusedCounters({ storage: { counters } }: Config): Promise<string | null> {
  if (counters === 'memory') return null;
  const { checkCounters } = await import('../counters/redis/check-counters.ts');
  return problemOf(async () => {
    try {
      await checkCounters(counters);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new Error(error.issues.map(({ path, message }) => `${path}: ${message}`).join('\n'), {
        cause: error,
      });
    }
  });
}

/**
 * A sentence when the hash secret differs from that of the records, because a start refuses this. Null when it is the
 * same, and when the records do not answer.
 */
export async function findOtherSecret({ storage, privacy }: Config): Promise<string | null> {
  const secret = privacy.hash_secret;
  if (secret === null || !isPostgresUrl(storage.records)) return null;
  const stored = await readStoredHashSecret(storage.records).catch(() => null);
  return problemOf(() => compareHashSecret(secret, stored));
}

async function problemOf(attempt: () => unknown): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkTls(tls: { readonly cert: string; readonly key: string } | null): void {
  if (tls === null) return;
  try {
    createSecureContext({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `proxy.tls: ${tls.cert} and ${tls.key} are not a certificate and its key in PEM (${reason}).`,
      { cause: error },
    );
  }
}

async function checkStorageFolder(folder: string): Promise<void> {
  checkFolder(folder);
  await readSecrets(folder);
}

/** Checks a folder. The start creates missing folders. */
function checkFolder(storageFolder: string): void {
  const folder = nearestExisting(storageFolder);
  const reason = statSync(folder).isDirectory()
    ? whyNotAccessible(folder, constants.W_OK)
    : 'it is not a folder';
  if (reason === null) return;
  throw new Error(
    `storage.records: cannot write in ${folder}: ${reason}. Allow this user to write there, or name another folder.`,
  );
}

/** Files that the configuration names but that cannot be read. */
function findUnreadableFiles({ proxy, datasets }: Config): string[] {
  const files = [
    { place: 'proxy.tls.cert', path: proxy?.tls?.cert ?? null },
    { place: 'proxy.tls.key', path: proxy?.tls?.key ?? null },
    ...(proxy?.routes ?? []).map(({ name, block_page }) => ({
      place: `the block_page of route "${name}"`,
      path: block_page,
    })),
    { place: 'datasets.asn_mmdb', path: datasets.asn_mmdb },
    { place: 'datasets.country_mmdb', path: datasets.country_mmdb },
    { place: 'datasets.anonymous_ip_mmdb', path: datasets.anonymous_ip_mmdb },
  ];
  return files.flatMap(({ place, path }) => {
    const reason = path === null ? null : whyUnreadable(path);
    return reason === null ? [] : [`${place}: cannot read ${path}: ${reason}`];
  });
}

function whyUnreadable(path: string): string | null {
  const reason = whyNotAccessible(path, constants.R_OK);
  return reason ?? (statSync(path).isFile() ? null : 'it is not a regular file');
}

function whyNotAccessible(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
