import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import type { CopyArguments } from './copy-records.ts';

/** `gatekeeper records …`, and the nodes that share the records. */
export function addRecordsCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'nodes', 'lists the nodes that share the records, and their differences')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>(async ({ config = null, json = false }) => {
        const { showNodes } = await import('./show-nodes.ts');
        const { withNodes } = await import('./with-resources.ts');
        return withNodes(config, context, (fleet) => showNodes({ fleet, json, write: context.write }));
      }),
    );
  const records = program.command('records').description('prepares and copies the records');
  addCommand(records, 'migrate', 'creates the tables of this version, or changes the tables of an older one')
    .option(
      '--records <url>',
      'the URL of the records with a user that may change tables, if the user in storage.records may not',
    )
    .action(
      run<WithConfig & { readonly records?: string }>(async (options) =>
        (await import('./migrate-records.ts')).migrateRecords(options, context),
      ),
    );
  addCommand(records, 'copy', 'copies all records into an empty database, and compares both')
    .requiredOption(
      '--from <url>',
      'the source: sqlite:./data/gatekeeper.db or postgres://…; it is only read',
    )
    .requiredOption('--to <url>', 'the target: an empty database')
    .action(
      run<CopyArguments>(async (options) =>
        (await import('./copy-records.ts')).copyRecords(
          { ...options, showProgress: process.stderr.isTTY === true },
          context,
        ),
      ),
    );
  addCommand(records, 'secrets', 'prints the generated secrets for the configuration of nodes').action(
    run<WithConfig>(async (options) => (await import('./print-secrets.ts')).printSecrets(options, context)),
  );
}
