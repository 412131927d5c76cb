import { setTimeout as wait } from 'node:timers/promises';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import type { ACTS, Site } from './acts.ts';
import type { Journal } from './journal.ts';

const PAUSE_MS = 20;

interface Repeated {
  readonly site: Site;
  readonly journal: Journal;
  readonly mayGoOn: () => boolean;
  /** Whether the database was killed: then an act may fail, and its client tries another one. */
  readonly isDisturbed: () => boolean;
}

/**
 * Acts until the process is gone. An error while it and its database run is an error of the test.
 *
 * @returns how many acts failed: they may be done or not.
 */
export async function repeat(act: (typeof ACTS)[number], repeated: Repeated): Promise<number> {
  const { site, journal, mayGoOn, isDisturbed } = repeated;
  let failed = 0;
  for (let n = 0; mayGoOn(); n++) {
    try {
      await act(site, journal, n);
      // An act may have nothing left to do.
      await wait(0);
    } catch (error) {
      if (isGone(error)) break;
      if (!isDisturbed() && !isRefused(error)) throw error;
      failed++;
      await wait(PAUSE_MS);
    }
  }
  return failed;
}

/**
 * A busy machine does not write in time what PostgreSQL stores: the client is told to try again. Nor does it always read
 * in time what an act looks up for its form.
 */
function isRefused(error: unknown): boolean {
  return error instanceof StorageBusyError || (error instanceof Error && error.message.endsWith(' 503'));
}

function isGone(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}
