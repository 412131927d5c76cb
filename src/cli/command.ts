import { Command, InvalidArgumentError } from 'commander';
import { parseDuration } from '../config/duration.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { reportFailure } from './report-failure.ts';
import { version } from './version.ts';

/** A command, or the program that has it. */
export type { Command } from 'commander';

export interface WithConfig {
  readonly config?: string;
}

/** Turns an action into what commander calls. */
export type Run = <Options extends WithConfig>(
  action: (options: Options, ...args: string[]) => Promise<ExitCode> | ExitCode,
) => (...given: unknown[]) => Promise<void>;

export function createProgram(): Command {
  return new Command('gatekeeper')
    .description('Keeps fake signups out of web apps.')
    .version(version)
    .option('--config <file>', 'the configuration; gatekeeper.yaml here when left out, if there is one')
    .showHelpAfterError('(gatekeeper --help lists the commands)')
    .exitOverride();
}

/** `--config` may stand before or behind the command's name. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--config <file>', 'see gatekeeper --help');
}

/** Runs a command and leaves its exit code behind. Nothing is cut off: the process ends when all is written. */
export function runIn(context: CommandContext): Run {
  return (action) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      try {
        process.exitCode = await action(command.optsWithGlobals(), ...command.args);
      } catch (error) {
        process.exitCode = reportFailure(error, context);
      }
    };
}

export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) throw new InvalidArgumentError('Write a duration such as 30m, 24h or 90d.');
  return milliseconds;
}
