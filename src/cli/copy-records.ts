import { hashSecretFingerprint } from '../secrets/check-hash-secret.ts';
import {
  type ComparedTable,
  type CopiedRecords,
  copyRecords as copyAll,
  isEqual,
} from '../storage/copy/copy-records.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { loadEffective } from './load-config.ts';
import { createProgressBar } from './progress-bar.ts';
import { tableOf } from './table.ts';

export interface CopyArguments extends WithConfig {
  readonly from: string;
  readonly to: string;
}

export interface CopyOptions extends CopyArguments {
  /** Whether standard error is a terminal. */
  readonly showProgress: boolean;
}

const DIFFERENT = 2;
/** The number of rows that are named. Further rows are only counted. */
const MAX_NAMED_ROWS = 50;

/** `gatekeeper records copy`: Returns 2 when the copy is not equal, or when the source changed meanwhile. */
export async function copyRecords(
  { config: file, from, to, showProgress }: CopyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { write, writeError } = context;
  if (from === to) {
    writeError('--from and --to name the same database. Name an empty one with --to.\n');
    return 1;
  }
  const { hash_secret } = loadEffective(file ?? null, context).config.privacy;
  const bar = createProgressBar('copying', showProgress ? writeError : null);
  let replaced = 0;
  let copied: CopiedRecords;
  try {
    copied = await copyAll({
      from,
      to,
      clock: Date.now,
      onProgress: bar.show,
      hashSecret: hash_secret === null ? null : hashSecretFingerprint(hash_secret),
      onReplaced(table, key) {
        replaced += 1;
        if (replaced > MAX_NAMED_ROWS) return;
        bar.end();
        writeError(`${table} ${key.join(' ')}: characters that PostgreSQL does not allow are � here\n`);
      },
    });
  } finally {
    bar.end();
  }
  if (replaced > MAX_NAMED_ROWS) writeError(`and ${replaced - MAX_NAMED_ROWS} more such rows\n`);
  write(
    tableOf(
      ['table', 'rows', 'hash of the source', 'rows', 'hash of the copy', ''],
      copied.tables.map(lineOf),
    ),
  );
  write('\n');
  return report(copied, { isMoved: isPostgresUrl(to) && !isPostgresUrl(from), write, writeError });
}

function lineOf(table: ComparedTable): string[] {
  const { name, source, target } = table;
  const verdict = isEqual(table) ? 'equal' : 'DIFFERENT';
  return [name, String(source.rows), source.hash, String(target.rows), target.hash, verdict];
}

function report(
  { source, target, tables, wasWritten }: CopiedRecords,
  {
    isMoved,
    write,
    writeError,
  }: Pick<CommandContext, 'write' | 'writeError'> & {
    /** Whether the records move from SQLite to PostgreSQL. Nodes have no generated secrets. */
    readonly isMoved: boolean;
  },
): ExitCode {
  const different = tables.filter((table) => !isEqual(table)).map(({ name }) => name);
  if (different.length > 0) {
    writeError(
      `${target} is not equal to ${source}: ${different.join(', ')}. The source changed after the copy began, or a ` +
        'program changed the copy. Empty the database and copy again. Until then, no server starts with this database.\n',
    );
    return DIFFERENT;
  }
  write(`${target} is complete and equal to ${source}\n`);
  if (wasWritten) {
    writeError(
      `${source} was in use while it was copied. Changes after the start of the copy are missing. To move, stop ` +
        'Gatekeeper first, and copy into an empty database.\n',
    );
    return DIFFERENT;
  }
  if (isMoved) write('Give the nodes the secrets of the source: gatekeeper records secrets\n');
  return 0;
}
