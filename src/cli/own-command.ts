import { realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';

/**
 * The command with which a user runs this program again: `npx gatekeeper` in a checkout or in a project that depends on
 * it, `gatekeeper` where it is installed globally, and otherwise the path of its file, for example after `npx` with a
 * tarball. It is never the name of a package, because a registry could resolve the name to another package.
 * @param script `process.argv[1]`
 */
export function ownCommand(env: NodeJS.ProcessEnv, script = 'gatekeeper'): string {
  const { npm_lifecycle_event: npmScript } = env;
  if (npmScript === 'start' || npmScript === 'demo') return 'npx gatekeeper';
  if (npmScript === 'npx' && isInside(env.npm_config_local_prefix, script)) return 'npx gatekeeper';
  const isInstalled = basename(script) === 'gatekeeper' && env.npm_command !== 'exec';
  return isInstalled ? 'gatekeeper' : `node ${quoted(script)}`;
}

/**
 * Whether the file is in the folder, after links are resolved. A checkout that npx runs is reached through a link in
 * the cache of npx.
 */
function isInside(folder: string | undefined, script: string): boolean {
  if (!folder) return false;
  try {
    return realpathSync(script).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
