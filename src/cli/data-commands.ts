import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { dataStatus, dataUpdate } from './data.ts';
import { withDatasets } from './with-resources.ts';

/** `gatekeeper data …`. */
export function addDataCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  const data = program.command('data').description('shows and refreshes the data sets');
  addCommand(data, 'status', 'lists every data set with source, licence, date, entries and revision')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        withDatasets(options.config ?? null, context, async (store) =>
          dataStatus({
            datasets: store.current,
            now: Date.now(),
            json: options.json ?? false,
            write: context.write,
          }),
        ),
      ),
    );
  addCommand(data, 'update', 'fetches all feeds now')
    .option('--accept-shrunk', 'takes a feed over although it lost more than half of its entries')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly acceptShrunk?: boolean; readonly json?: boolean }>((options) =>
        withDatasets(options.config ?? null, context, (store) =>
          dataUpdate({
            store,
            acceptShrunk: options.acceptShrunk ?? false,
            json: options.json ?? false,
            write: context.write,
          }),
        ),
      ),
    );
}
