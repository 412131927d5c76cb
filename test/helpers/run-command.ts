import { runCommandLine } from '../../src/cli/program.ts';

/** What a command printed, and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, as without a terminal, with these environment variables only. */
export async function runCommand(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const output = { out: '', err: '' };
  const code = await runCommandLine(args, {
    context: {
      cwd,
      env,
      write: (text) => {
        output.out += text;
      },
      writeError: (text) => {
        output.err += text;
      },
      deliver: async (text) => {
        output.out += text;
        return true;
      },
      isTerminal: false,
      hasColour: false,
    },
    signals: { stop: new AbortController().signal, onHangUp() {}, release() {} },
  });
  return { code, ...output };
}
