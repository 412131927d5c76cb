import { statSync } from 'node:fs';
import { createPseudonymizer } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import { dashboardUrl } from '../dashboard/dashboard-url.ts';
import type { DatasetStore } from '../datasets/open-datasets.ts';
import { checkHashSecret } from '../secrets/check-hash-secret.ts';
import { openHashSecret } from '../secrets/configured-secrets.ts';
import { openConfiguredDatasets } from '../signup-file/open-offline-judge.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';
import { isCompleteDatabase, sqlitePathOf } from '../storage/engine/sqlite-file.ts';
import { createDatabaseClock } from '../storage/fleet/database-clock.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { CommandContext, DeliveringContext, ExitCode } from './command-context.ts';
import type { EraseContext } from './erase.ts';
import { loadEffective } from './load-config.ts';
import type { AccountsContext } from './manage-accounts.ts';
import type { KeysContext } from './manage-keys.ts';
import { refuse } from './report-refusal.ts';

/** The usual cause is a command in another folder than that of the configuration. */
const OTHER_RECORDS = 'For other records, name their configuration: --config FILE.';

type Work = (records: Storage, config: Config, clock: Clock) => Promise<ExitCode>;

function withRecords(file: string | null, context: CommandContext, work: Work): Promise<ExitCode> {
  return openRecords(loadEffective(file, context).config, context, work);
}

/** Opens the records for one command and always closes them. */
async function openRecords(config: Config, { writeError }: CommandContext, work: Work): Promise<ExitCode> {
  const time = createDatabaseClock(Date.now);
  const missing = missingFileOf(config);
  const records = await openStorage({ url: config.storage.records, clock: time.now });
  if (missing !== null)
    writeError(`There were no records, so they were made: ${missing}. ${OTHER_RECORDS}\n`);
  const following = records.fleet && (await time.follow(records.now));
  try {
    return await work(records, config, time.now);
  } finally {
    await following?.close();
    await records.close();
  }
}

/** The file of records in SQLite that do not exist yet. */
function missingFileOf({ storage }: Config): string | null {
  if (isPostgresUrl(storage.records)) return null;
  const file = sqlitePathOf(storage.records);
  return isVisible(file) && !isCompleteDatabase(file) ? file : null;
}

/** False in a folder that this user may not open: the message of `openStorage` says so. */
function isVisible(file: string): boolean {
  try {
    statSync(file, { throwIfNoEntry: false });
    return true;
  } catch {
    return false;
  }
}

interface KeyCommand {
  /** Why the arguments are wrong for this configuration, as a sentence. It is asked before the records are opened. */
  readonly problem?: (configured: Pick<KeysContext, 'plans' | 'configuredKeys'>) => string | undefined;
  readonly work: (context: KeysContext) => Promise<ExitCode>;
}

export async function withKeys(
  file: string | null,
  context: DeliveringContext,
  { problem, work }: KeyCommand,
): Promise<ExitCode> {
  const { write, writeError, deliver } = context;
  const { config } = loadEffective(file, context);
  const configured = { plans: Object.keys(config.api.plans), configuredKeys: config.api.keys };
  const refusal = problem?.(configured);
  if (refusal !== undefined) return refuse(context, refusal);
  return openRecords(config, context, (records, _config, clock) =>
    work({ records, ...configured, clock, write, writeError, deliver }),
  );
}

export function withAccounts(
  file: string | null,
  context: DeliveringContext,
  work: (context: AccountsContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { write, writeError, deliver } = context;
  return withRecords(file, context, (records, config, clock) => {
    const listen = parseListenAddress(config.dashboard.listen);
    // The URL is not known with port 0, because each start gets a different port.
    const isKnown = config.dashboard.public_url !== null || (listen !== null && listen.port !== 0);
    const publicUrl = isKnown && listen ? dashboardUrl(config, listen) : null;
    const plans = Object.keys(config.api.plans);
    return work({ records, plans, publicUrl, clock, write, writeError, deliver });
  });
}

export function withNodes(
  file: string | null,
  context: CommandContext,
  work: (fleet: Storage['fleet']) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withRecords(file, context, ({ fleet }) => work(fleet));
}

/** An erasure that finds no records at all has not erased the person. */
export async function withErasure(
  file: string | null,
  context: CommandContext,
  work: (context: EraseContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { write, writeError } = context;
  const { config } = loadEffective(file, context);
  const missing = missingFileOf(config);
  if (missing !== null) {
    writeError(`There are no records in ${missing}, so nothing was erased. ${OTHER_RECORDS}\n`);
    return 1;
  }
  return openRecords(config, context, async (records) => {
    const secret = await openHashSecret(config);
    if (records.fleet) await checkHashSecret(records.fleet, secret);
    return work({ records, pseudonymize: createPseudonymizer(secret), write, writeError });
  });
}

export async function withDatasets(
  file: string | null,
  context: CommandContext,
  work: (store: DatasetStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config } = loadEffective(file, context);
  const store = await openConfiguredDatasets(config);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
