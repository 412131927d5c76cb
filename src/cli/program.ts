import { CommanderError } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addCommand, createProgram, runIn, type WithConfig, withDefaultCommand } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { addDataCommands } from './data-commands.ts';
import { erase } from './erase.ts';
import { addJudgingCommands } from './judging-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { serve } from './serve.ts';
import type { ProcessSignals } from './signals.ts';
import { withErasure } from './with-resources.ts';

/** Runs the command line of the process and sets its exit code. */
export async function runProgram(signals: ProcessSignals): Promise<void> {
  const context: CommandContext = {
    cwd: process.cwd(),
    env: process.env,
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    hasColour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), { context, signals });
}

/** Runs one command. Returns its exit code; 1 for an unknown command. */
export async function runCommandLine(
  args: readonly string[],
  { context, signals }: { readonly context: CommandContext; readonly signals: ProcessSignals },
): Promise<number> {
  let exitCode = 0;
  const run = runIn(context, (code) => {
    exitCode = code;
  });
  const program = createProgram(context);
  // A signal ends any other command at once, as usual.
  program.hook('preAction', (_program, command) => {
    if (command.name() !== 'serve') signals.release();
  });
  program
    .command('serve')
    .description('serves the API (the default command)')
    .option('--config <file>', 'see gatekeeper --help')
    .action(run<WithConfig>((options) => serve({ config: options.config ?? null, signals }, context)));

  addJudgingCommands(program, { context, run });
  addKeyCommands(program, { context, run });
  addAccountCommands(program, { context, run });
  addDataCommands(program, { context, run });
  addCommand(program, 'erase', 'removes all stored data about a mailbox')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        withErasure(options.config ?? null, context, (resources) => erase(email, resources)),
      ),
    );

  try {
    await program.parseAsync(withDefaultCommand(program, args), { from: 'user' });
  } catch (error) {
    // Commander has reported the error. Its exit code is 1, or 0 for help and version.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return exitCode;
}
