import { createInterface } from 'node:readline/promises';
import { addCommand, type Command, type Run } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import type { InitArguments } from './init/init.ts';
import { ownCommand } from './own-command.ts';

/** `gatekeeper init`. */
export function addSetUpCommand(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'init', 'writes a first configuration for a dry run in front of an app')
    .option('--upstream <url>', 'the app, such as localhost:3000')
    .option(
      '--path <path>',
      'the path of the page with the signup form, or the path that the form is sent to',
    )
    .option('--email <field>', 'the field for the email')
    .option('--listen <address>', 'where the gate listens (default: 127.0.0.1:8000)')
    .action(run<InitArguments>((options) => withTerminal(options, context)));
}

async function withTerminal(given: InitArguments, context: CommandContext): Promise<ExitCode> {
  const { init } = await import('./init/init.ts');
  const options = { ...given, command: ownCommand(context.env, process.argv[1]) };
  if (!context.isTerminal || process.stdin.isTTY !== true) return init(options, context, null);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await init(options, context, (question) => terminal.question(question));
  } finally {
    terminal.close();
  }
}
