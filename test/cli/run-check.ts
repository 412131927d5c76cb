import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { check } from '../../src/cli/check.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';

export async function run(
  t: ExecutionContext,
  text: string | null,
  { config = null as string | null, print = false, env = {} as Record<string, string> } = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), 'check-'));
  t.teardown(() => rmSync(cwd, { recursive: true }));
  if (text !== null) writeFileSync(join(cwd, 'gatekeeper.yaml'), text, { mode: 0o600 });
  const output = { code: 0, out: '', err: '' };
  const context: CommandContext = {
    cwd,
    env,
    write: (written) => {
      output.out += written;
    },
    writeError: (written) => {
      output.err += written;
    },
    isTerminal: false,
    hasColour: false,
  };
  output.code = await check({ ...(config !== null && { config }), print }, context);
  return output;
}
