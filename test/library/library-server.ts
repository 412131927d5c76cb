import type { ExecutionContext } from 'ava';
import { createGatekeeper } from '../../src/library/create-gatekeeper.ts';
import type { Gatekeeper } from '../../src/library/gatekeeper.ts';
import { writeEmptyDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** A real gatekeeper on an empty database: silent, without DNS. */
export async function openGatekeeper(t: ExecutionContext, settings: object = {}): Promise<Gatekeeper> {
  const folder = temporaryFolder(t);
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const gatekeeper = await createGatekeeper({
    config: {
      storage: { records: `sqlite:${folder}/gatekeeper.db` },
      scoring: { dns: { enabled: false } },
      log: { level: 'silent' },
      ...settings,
    },
  });
  t.teardown(() => gatekeeper.close());
  return gatekeeper;
}

export const CHROME = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'accept-language': 'en-GB,en;q=0.9',
} as const;

let homes = 0;

/** Another home connection at each call: one address with many signups would be refused. */
export function nextHome(): string {
  homes++;
  return `81.2.${homes % 256}.${1 + Math.floor(homes / 256)}`;
}
