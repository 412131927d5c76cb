import { CommanderError } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addAlertCommands } from './alert-commands.ts';
import {
  addCommand,
  type Command,
  createProgram,
  port,
  runIn,
  upstream,
  type WithConfig,
  withDefaultCommand,
} from './command.ts';
import type { DeliveringContext, ExitCode } from './command-context.ts';
import { addDataCommands } from './data-commands.ts';
import { addJudgingCommands } from './judging-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { openOutput } from './output.ts';
import { addRecordsCommands } from './records-commands.ts';
import type { ServeArguments } from './serve.ts';
import { addSetUpCommand } from './set-up-command.ts';
import type { ProcessSignals } from './signals.ts';

interface CommandLineOptions {
  readonly context: DeliveringContext;
  readonly signals: ProcessSignals;
}

/** Runs the command line of the process and sets its exit code. */
export async function runProgram(signals: ProcessSignals): Promise<void> {
  const { write, writeError, deliver, hasFailed } = openOutput();
  const context: DeliveringContext = {
    cwd: process.cwd(),
    env: process.env,
    write,
    writeError,
    deliver,
    isTerminal: process.stdout.isTTY === true,
    hasColour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  };
  const code = await runCommandLine(process.argv.slice(2), { context, signals });
  // Streams report their errors after the tick that wrote.
  setImmediate(() => {
    process.exitCode = hasFailed() ? 2 : code;
  });
}

/** Runs one command. Returns its exit code, which is 1 for an unknown command. */
export async function runCommandLine(
  args: readonly string[],
  { context, signals }: CommandLineOptions,
): Promise<number> {
  let exitCode = 0;
  const program = createCommandLine({ context, signals }, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withDefaultCommand(program, args), { from: 'user' });
  } catch (error) {
    // Commander has reported the error. Its exit code is 1, or 0 for help and version.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return exitCode;
}

/** All commands, with their arguments and options. `leave` receives the exit code of the command that ran. */
export function createCommandLine(
  { context, signals }: CommandLineOptions,
  leave: (code: ExitCode) => void,
): Command {
  const run = runIn(context, leave);
  const program = createProgram(context);
  // During any other command, a signal ends the process immediately, as usual.
  program.hook('preAction', (_program, command) => {
    if (command.name() !== 'serve') signals.release();
  });
  addCommand(program, 'serve', 'serves the API and the gate (the default command)')
    .option('--port <port>', 'the port of the gate, or of the API when there is no gate', port)
    .option('--upstream <url>', 'the app behind the gate, such as localhost:3000', upstream)
    .action(
      run<ServeArguments>(async (options) =>
        (await import('./serve.ts')).serve({ ...options, signals }, context),
      ),
    );

  addSetUpCommand(program, { context, run });
  addJudgingCommands(program, { context, run });
  addKeyCommands(program, { context, run });
  addAccountCommands(program, { context, run });
  addAlertCommands(program, { context, run });
  addDataCommands(program, { context, run });
  addRecordsCommands(program, { context, run });
  addCommand(program, 'erase', 'removes all stored data about a mailbox')
    .argument('<email>')
    .action(
      run<WithConfig>(async (options, email = '') => {
        const { erase } = await import('./erase.ts');
        const { withErasure } = await import('./with-resources.ts');
        return withErasure(options.config ?? null, context, (resources) => erase(email, resources));
      }),
    );

  return program;
}
