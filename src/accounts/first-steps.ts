import type { Storage } from '../storage/storage.ts';
import { createSetUpLink, createSharedSetUpLink } from './account-links.ts';
import { createFirstKey } from './first-key.ts';

/** What a start prints for its operator. */
export interface FirstSteps {
  /** The link for creating the first operator; null when there is one, or another start printed a link that is valid. */
  readonly setUpLink: string | null;
  /** Until when the link of another start is valid; null when this start made one, or an operator exists. */
  readonly earlierLinkValidUntil: number | null;
  /** The key that was created because there was none; null when a key existed, or none was requested. */
  readonly firstKey: string | null;
  /** Whether the storage holds a key, also a revoked one. */
  readonly hasStoredKeys: boolean;
}

/** Last of a start: links and keys are shown once, and a start that fails earlier must not use them up. */
export async function takeFirstSteps(
  records: Storage,
  { dashboardUrl, makesFirstKey }: { readonly dashboardUrl: string; readonly makesFirstKey: boolean },
): Promise<FirstSteps> {
  const { url: setUpLink, earlierValidUntil } = records.fleet
    ? await createSharedSetUpLink(records, dashboardUrl)
    : { url: await createSetUpLink(records, dashboardUrl), earlierValidUntil: null };
  const firstKey = makesFirstKey ? await createFirstKey(records) : null;
  const hasStoredKeys = (await records.apiKeys.list()).length > 0;
  return { setUpLink, earlierLinkValidUntil: earlierValidUntil, firstKey, hasStoredKeys };
}
