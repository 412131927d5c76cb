import { realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';

/**
 * How a user runs this program a second time: `npx gatekeeper` in a checkout or a project that has it, `gatekeeper` where
 * it is installed, else its file, as after `npx` with a tarball. Never the name of a package, which a registry could resolve to another
 * one.
 * @param script `process.argv[1]`
 */
export function ownCommand(env: NodeJS.ProcessEnv, script = 'gatekeeper'): string {
  const { npm_lifecycle_event: npmScript } = env;
  if (npmScript === 'start' || npmScript === 'demo') return 'npx gatekeeper';
  if (npmScript === 'npx' && isInside(env.npm_config_local_prefix, script)) return 'npx gatekeeper';
  const isInstalled = basename(script) === 'gatekeeper' && env.npm_command !== 'exec';
  return isInstalled ? 'gatekeeper' : `node ${quoted(script)}`;
}

/** Whether the file is in the folder, links resolved: npx runs a checkout through a link in its cache. */
function isInside(folder: string | undefined, script: string): boolean {
  if (!folder) return false;
  try {
    return realpathSync(script).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

/** For a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
