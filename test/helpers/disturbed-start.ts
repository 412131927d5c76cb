import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { LaunchedGatekeeper } from './gatekeeper-process.ts';

/**
 * Waits for the earliest moment at which a signal may be sent, by what the kernel (Linux) says about the handlers of the
 * process. False when it ended without any.
 */
export async function untilCaught(
  { process: child }: LaunchedGatekeeper,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  while (child.exitCode === null && child.signalCode === null) {
    if ((caughtBy(child.pid ?? 0) & bit) !== 0n) return true;
    await wait(1);
  }
  return false;
}

function caughtBy(pid: number): bigint {
  try {
    const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return BigInt(`0x${mask}`);
  } catch {
    return 0n;
  }
}

/** What is there is whole: no drafts, and secrets that can be read. */
export function assertWhole(t: ExecutionContext, folder: string, name: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  t.deepEqual(
    names.filter((file) => file.includes('.new-')),
    [],
    name,
  );
  if (!names.includes('data/secrets.json')) return;
  const { key } = JSON.parse(readFileSync(join(folder, 'data/secrets.json'), 'utf8')) as { key: string };
  t.is(Buffer.from(key, 'base64url').length, 32, name);
}
