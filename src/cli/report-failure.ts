import { ConfigError } from '../config/config-error.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

/** Says what ended a command. A mistake in the configuration is the user's; everything else is a failure. */
export function reportFailure(error: unknown, { writeError, env }: CommandContext): ExitCode {
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
  if (code === 'EADDRINUSE')
    return `${message}: another program listens there; stop it, or change the address.`;
  if (code === 'EACCES')
    return `${message}: this user may not do that; change the owner, the mode or the address.`;
  return message;
}
