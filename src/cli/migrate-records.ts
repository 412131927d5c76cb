import { openEngine, schemaVersionOf } from '../storage/open-engine.ts';
import { urlFromOption } from '../storage/url-from-option.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { loadEffective } from './load-config.ts';

export interface MigrateOptions extends WithConfig {
  /** The URL of the records. Left out: the records of the configuration. */
  readonly records?: string;
}

/** `gatekeeper records migrate`: changes the tables like a start, for a user who owns the tables. Can be repeated. */
export async function migrateRecords(options: MigrateOptions, context: CommandContext): Promise<ExitCode> {
  const { records } = options;
  const engine =
    records === undefined
      ? await openEngine(loadEffective(options.config, context).config.storage.records, Date.now)
      : await urlFromOption('--records', async () => openEngine(records, Date.now));
  try {
    context.write(`${engine.name} has the tables of version ${await schemaVersionOf(engine)}\n`);
  } finally {
    await engine.close();
  }
  return 0;
}
