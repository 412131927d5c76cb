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

const DEFAULT_COMMAND = 'serve';

export function createProgram({ write, writeError }: CommandContext): Command {
  return new Command('gatekeeper')
    .description('Keeps fake signups out of web apps.')
    .version(version)
    .option('--config <file>', 'the configuration; gatekeeper.yaml here when left out, if there is one')
    .showHelpAfterError('(gatekeeper --help lists the commands)')
    .configureOutput({ writeOut: write, writeErr: writeError })
    .exitOverride();
}

/**
 * The arguments with `serve` before them where they name no command. Commander's own default command would take a mistyped
 * command for an argument.
 */
export function withDefaultCommand(program: Command, args: readonly string[]): string[] {
  const { operands, unknown } = program.parseOptions([...args]);
  const asksForHelp = unknown.some((flag) => flag === '--help' || flag === '-h');
  return operands.length > 0 || asksForHelp ? [...args] : [DEFAULT_COMMAND, ...args];
}

/** `--config` may stand before or behind the command's name. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--config <file>', 'see gatekeeper --help');
}

/** Runs a command and hands over its exit code. */
export function runIn(context: CommandContext, leave: (code: ExitCode) => void): Run {
  return (action) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      try {
        leave(await action(command.optsWithGlobals(), ...command.args));
      } catch (error) {
        leave(reportFailure(error, context));
      }
    };
}

export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) throw new InvalidArgumentError('Write a duration such as 30m, 24h or 90d.');
  return milliseconds;
}
