import { Command, type ErrorOptions, InvalidArgumentError, type Option } from 'commander';
import { closest } from '../config/closest.ts';
import { ConfigError } from '../config/config-error.ts';
import { parsePort } from '../config/listen-address.ts';
import { parseDuration } from '../config/quantities.ts';
import { completeOrigin, parseOrigin } from '../config/url-formats.ts';
import { VERSION } from '../version.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

/** A command, or the program that contains it. */
export type { Command } from 'commander';

export interface WithConfig {
  readonly config?: string;
}

/** Wraps a command in the function that commander calls. */
export type Run = <Options extends WithConfig>(
  action: (options: Options, ...args: string[]) => Promise<ExitCode> | ExitCode,
) => (...given: unknown[]) => Promise<void>;

const DEFAULT_COMMAND = 'serve';
/**
 * The largest edit distance of a suggestion: two typing errors in four letters. It is large because there are few
 * commands.
 */
const MAX_EDITED_SHARE = 1 / 2;

/** Reports an unknown command or option, with a suggestion. Commander calls these methods by name. */
class SuggestingCommand extends Command {
  override createCommand(name?: string): Command {
    return new SuggestingCommand(name);
  }

  unknownCommand(): never {
    const word = this.args[0] ?? '';
    const names = [...this.commands.map((command) => command.name()), 'help'];
    return this.error(`unknown command "${word}"${fileHint(word) || suggestion(word, names)}`, {
      code: 'commander.unknownCommand',
    });
  }

  override error(message: string, options?: ErrorOptions): never {
    const shown = this.commands.length > 0 ? 'lists the commands' : 'shows its arguments and options';
    this.showHelpAfterError(`(${pathOf(this)} --help ${shown})`);
    if (options?.code !== 'commander.excessArguments') return super.error(message, options);
    const word = this.args[this.registeredArguments.length] ?? '';
    return super.error(`unexpected argument "${word}"${fileHint(word)}`, options);
  }

  unknownOption(flag: string): never {
    const [word = flag] = flag.split('=', 1);
    const names = ['--help', ...longOptionsOf(this)];
    const bare = word.replace(/^-+/, '');
    const meant = word.length > 2 ? suggestion(bare, names, '--') : '';
    return this.error(`unknown option "${word}"${meant}`, { code: 'commander.unknownOption' });
  }

  /** Commander reports missing options first, but a misspelled option also counts as missing. */
  missingMandatoryOptionValue({ flags }: Option): never {
    const unknown = this.args.find((arg) => arg.startsWith('-'));
    if (unknown !== undefined) return this.unknownOption(unknown);
    return this.error(`error: required option '${flags}' not specified`, {
      code: 'commander.missingMandatoryOptionValue',
    });
  }
}

/** Such as `gatekeeper keys create`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Many programs take the configuration file as an argument. */
function fileHint(word: string): string {
  return /\.ya?ml$/i.test(word) ? `; did you mean "--config ${word}"?` : '';
}

/** The long options of a command. Options of parent commands count too. */
function longOptionsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => long ?? []);
  return command.parent ? [...own, ...longOptionsOf(command.parent)] : own;
}

function suggestion(word: string, names: readonly string[], prefix = ''): string {
  const bare = names.map((name) => name.slice(prefix.length));
  const begun = word.length > 1 ? bare.filter((name) => name.startsWith(word)) : [];
  const meant = begun.length === 1 ? begun[0] : closest(word, bare, MAX_EDITED_SHARE);
  return meant ? `; did you mean "${prefix}${meant}"?` : '';
}

export function createProgram({ write, writeError }: CommandContext): Command {
  return new SuggestingCommand('gatekeeper')
    .description('Keeps fake signups out of web apps.')
    .version(VERSION)
    .option(
      '--config <file>',
      'the configuration file (default: gatekeeper.yaml in this folder, if it exists)',
      fileName,
    )
    .configureOutput({ writeOut: write, writeErr: writeError })
    .exitOverride();
}

/**
 * The arguments, with `serve` at the start if they contain no command. Commander's own default command would treat a
 * misspelled command as an argument.
 */
export function withDefaultCommand(program: Command, args: readonly string[]): string[] {
  const { operands, unknown } = program.parseOptions([...args]);
  const asksForHelp = unknown.some((flag) => flag === '--help' || flag === '-h');
  return operands.length > 0 || asksForHelp ? [...args] : [DEFAULT_COMMAND, ...args];
}

/** Adds a command. `--config` may be before or after its name. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--config <file>', 'see gatekeeper --help', fileName);
}

/** Runs a command and sets its exit code. */
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

/**
 * Reports the error that ended a command. A configuration error is an error of the user; any other error is a failure.
 */
function reportFailure(error: unknown, { writeError, env }: CommandContext): ExitCode {
  if (error instanceof ConfigError) {
    writeError(`${error.message}\n`);
    return 1;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  writeError(`${env.GATEKEEPER_DEBUG ? stack : describeSystemError(error, message)}\n`);
  return 2;
}

function describeSystemError(error: unknown, message: string): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === 'EACCES') return `${message}: permission denied. Change the owner, the mode or the address.`;
  if (code === 'EMFILE' || code === 'ENFILE')
    return `${message}. Allow more open files: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit.`;
  return message;
}

/** A variable of the shell that is not set gives an empty name. */
export function fileName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Write the name of a file, or leave it out.');
  return text;
}

export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) throw new InvalidArgumentError('Write a duration such as 30m, 24h or 90d.');
  return milliseconds;
}

export function port(text: string): number {
  const parsed = parsePort(text);
  if (parsed === null) throw new InvalidArgumentError('Write a port from 0 to 65535.');
  return parsed;
}

export function headerLine(text: string): string {
  if (!/^[^\s:]+:/.test(text))
    throw new InvalidArgumentError('Write a header such as "x-forwarded-for: 203.0.113.7".');
  return text;
}

/** The URL of an app, in the forms that `proxy.upstream` accepts. */
export function upstream(text: string): string {
  if (parseOrigin(String(completeOrigin(text))) === null)
    throw new InvalidArgumentError('Write the URL of the app, such as localhost:3000.');
  return text;
}
