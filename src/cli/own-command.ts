import { basename } from 'node:path';

/**
 * How a user runs this program a second time: `npx gatekeeper` after `npm start` or `npm run demo` in a checkout,
 * `gatekeeper` where it is installed, else its file. Never the name of a package, which a registry could resolve to another
 * one.
 * @param script `process.argv[1]`
 */
export function ownCommand(env: NodeJS.ProcessEnv, script = 'gatekeeper'): string {
  const { npm_lifecycle_event: npmScript } = env;
  if (npmScript === 'start' || npmScript === 'demo') return 'npx gatekeeper';
  const isInstalled = basename(script) === 'gatekeeper' && env.npm_command !== 'exec';
  return isInstalled ? 'gatekeeper' : `node ${quoted(script)}`;
}

/** For a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
