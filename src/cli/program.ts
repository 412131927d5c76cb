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

/** The command line of the process: runs what it was called with, and leaves the exit code behind. */
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

/** Runs one command. Returns its exit code; 1 where there is none like that. */
export async function runCommandLine(
  args: readonly string[],
  { context, signals }: { readonly context: CommandContext; readonly signals: ProcessSignals },
): Promise<number> {
  let exitCode = 0;
  const run = runIn(context, (code) => {
    exitCode = code;
  });
  const program = createProgram(context);
  // Any other command may be interrupted anywhere, as programs usually are.
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
  addCommand(program, 'erase', 'removes what is stored about a mailbox')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        withErasure(options.config ?? null, context, (resources) => erase(email, resources)),
      ),
    );

  try {
    await program.parseAsync(withDefaultCommand(program, args), { from: 'user' });
  } catch (error) {
    // Commander has said what is wrong; its own code for that is 1, and 0 where help or the version was asked for.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return exitCode;
}
