import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';

/** `gatekeeper alerts …`. */
export function addAlertCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  const alerts = program.command('alerts').description('tries the receivers of alerts');
  addCommand(alerts, 'test', 'sends a test message to each receiver of alerts, or to one')
    .argument('[name]', 'the name of the receiver')
    .action(
      run<WithConfig>(async (options, name) => {
        const [{ testAlerts }, { loadEffective }] = await Promise.all([
          import('./test-alerts.ts'),
          import('./load-config.ts'),
        ]);
        const { config } = loadEffective(options.config ?? null, context);
        const { write, writeError } = context;
        return testAlerts(name ?? null, { config, clock: Date.now, write, writeError });
      }),
    );
}
