import type { DatasetStore } from '../datasets/open-datasets.ts';
import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

/** `gatekeeper data …`. */
export function addDataCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  const on = async (
    options: WithConfig,
    work: (show: typeof import('./show-data.ts'), store: DatasetStore) => Promise<ExitCode>,
  ): Promise<ExitCode> => {
    const [show, { withDatasets }] = await Promise.all([
      import('./show-data.ts'),
      import('./with-resources.ts'),
    ]);
    return withDatasets(options.config ?? null, context, (store) => work(show, store));
  };
  const catalogue = async () => (await import('../datasets/feed-sources.generated.ts')).FEED_SOURCES;
  const data = program.command('data').description('shows and refreshes the data sets');
  addCommand(data, 'status', 'lists each data set with source, licence, date, entries and revision')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        on(options, async (show, store) =>
          show.dataStatus({
            datasets: store.current,
            now: Date.now(),
            json: options.json ?? false,
            hasColour: context.hasColour,
            write: context.write,
          }),
        ),
      ),
    );
  addCommand(data, 'update', 'fetches all feeds now')
    .option('--accept-shrunk', 'accepts a feed that lost more than half of its entries')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly acceptShrunk?: boolean; readonly json?: boolean }>((options) =>
        on(options, async (show, store) =>
          show.dataUpdate({
            store,
            catalogue: await catalogue(),
            acceptShrunk: options.acceptShrunk ?? false,
            json: options.json ?? false,
            write: context.write,
          }),
        ),
      ),
    );
  addCommand(data, 'catalogue', 'lists the public sources that datasets.feeds can name')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>(async ({ json = false }) => {
        const { dataCatalogue } = await import('./show-data.ts');
        return dataCatalogue({ catalogue: await catalogue(), json, write: context.write });
      }),
    );
}
