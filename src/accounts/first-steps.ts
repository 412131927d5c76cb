import type { Storage } from '../storage/storage.ts';
import { createSetUpLink, createSharedSetUpLink } from './account-links.ts';
import { createFirstKey } from './first-key.ts';

/** The links and keys that a start prints for its operator. */
export interface FirstSteps {
  /**
   * The link for creating the first operator. Null when an operator exists, or when the link of another start is still
   * valid.
   */
  readonly setUpLink: string | null;
  /**
   * The end of validity of the link that another start printed. Null when this start created a link, or when an
   * operator exists.
   */
  readonly earlierLinkValidUntil: number | null;
  /**
   * The key that this start created because the storage held no key. Null when a key existed, or when no key was
   * requested.
   */
  readonly firstKey: string | null;
  /** Whether the storage holds a key. Revoked keys count too. */
  readonly hasStoredKeys: boolean;
}

/**
 * This runs last in a start. Links and keys are shown only once, so a start that fails earlier must not create them.
 */
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
