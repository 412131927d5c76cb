import { sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { tokenSha256 } from '../../../src/web/tokens.ts';
import type { Journal } from './journal.ts';

export interface StoredCheck {
  readonly records: Storage;
  readonly accountId: string;
  /** Requests to score since the first round; what is stored beyond the acknowledged ones was under way at a kill. */
  readonly mayBeUnderWay: number;
}

/** What is missing, doubled or back in the storage, as sentences; empty when all is as it was acknowledged. */
export async function findLosses(journal: Journal, check: StoredCheck): Promise<readonly string[]> {
  return [
    ...(await lostScores(journal, check)),
    ...(await lostKeys(journal, check)),
    ...(await lostEntries(journal, check)),
    ...(await lostLinks(journal, check)),
  ];
}

async function lostScores(
  { scores, labels }: Journal,
  { records, accountId }: StoredCheck,
): Promise<readonly string[]> {
  const losses: string[] = [];
  const labelled = new Set(labels);
  for (const { requestId, idempotencyKey } of scores) {
    const decision = await records.decisions.find(requestId, accountId);
    const answer = await records.ledger.findAnswer(accountId, idempotencyKey, Date.now());
    if (decision === null) losses.push(`the decision ${requestId} is lost`);
    if (answer?.requestId !== requestId) losses.push(`the answer for ${idempotencyKey} is lost`);
    if (labelled.has(requestId) && decision?.label !== 'fraud')
      losses.push(`the label of ${requestId} is lost`);
  }
  return losses;
}

/** Each decision is counted once, and nothing else is. For the whole of all rounds: it reads every decision. */
export async function findMiscounts(
  { scores }: Journal,
  { records, accountId, mayBeUnderWay }: StoredCheck,
): Promise<readonly string[]> {
  let rows = 0;
  for await (const { scope } of records.decisions.recent(0)) if (scope === accountId) rows += 1;
  const { used } = await records.quotas.usage(accountId, Date.now());
  const losses: string[] = [];
  if (used !== rows) losses.push(`${used} requests are counted, and ${rows} decisions are stored`);
  if (used < scores.length) losses.push(`${scores.length} were answered, and ${used} are counted`);
  if (used > scores.length + mayBeUnderWay) {
    losses.push(`${scores.length} were answered, ${mayBeUnderWay} under way, and ${used} are counted`);
  }
  return losses;
}

async function lostKeys({ keys, revoked }: Journal, { records }: StoredCheck): Promise<readonly string[]> {
  const stored = new Map((await records.apiKeys.list()).map((key) => [key.name, key]));
  const losses: string[] = [];
  for (const { name, key } of keys) {
    if (!stored.get(name)?.lastFour.endsWith(key.slice(-4))) losses.push(`the key "${name}" is lost`);
  }
  for (const { name, key } of revoked) {
    const isBack = (await records.apiKeys.authorize(sha256OfKey(key), Date.now())) !== null;
    if (isBack || !stored.get(name)?.revokedAt) losses.push(`the revoked key "${name}" is back`);
  }
  return losses;
}

async function lostEntries(
  { added, removed }: Journal,
  { records }: StoredCheck,
): Promise<readonly string[]> {
  const gone = new Set(removed);
  const losses: string[] = [];
  for (const entry of added) {
    const stored = await records.listEntries.page({ after: null, limit: 2, filter: { text: entry } });
    if (gone.has(entry) && stored.length > 0) losses.push(`the removed entry ${entry} is back`);
    // One that was about to be removed may be gone.
    if (!gone.has(entry) && stored.length === 0 && isKept(entry)) losses.push(`the entry ${entry} is lost`);
  }
  return losses;
}

/** Every second entry is never removed. */
function isKept(entry: string): boolean {
  return Number(/-(\d+)\.com$/.exec(entry)?.[1]) % 2 > 0;
}

async function lostLinks({ usedLinks }: Journal, { records }: StoredCheck): Promise<readonly string[]> {
  const losses: string[] = [];
  for (const path of usedLinks) {
    const token = await records.accountTokens.find(tokenSha256(path.split('/').at(-1) ?? ''));
    if (token !== null) losses.push(`the used link ${path} is back`);
  }
  return losses;
}
