import type { ExecutionContext } from 'ava';
import { type CopyOptions, copyRecords } from '../../../src/storage/copy/copy-records.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import { ALL, aggregateAll, countAll } from '../rollups/rollup-fixture.ts';
import { clock } from './filled-records.ts';

export async function copy(
  {
    from,
    to,
    hashSecret = null,
  }: Pick<CopyOptions, 'from' | 'to'> & Partial<Pick<CopyOptions, 'hashSecret'>>,
  onProgress: CopyOptions['onProgress'] = () => {},
) {
  const done: (readonly [done: number, total: number])[] = [];
  const replaced: string[] = [];
  const report = await copyRecords({
    ...{ from, to, hashSecret, clock },
    onProgress(rows, total) {
      done.push([rows, total]);
      onProgress(rows, total);
    },
    onReplaced: (table, key) => void replaced.push(`${table} ${key.join(' ')}`),
  });
  return { report, done, replaced };
}

export async function openRecords(t: ExecutionContext, url: string): Promise<Storage> {
  const storage = await openStorage({ url, clock });
  t.teardown(() => storage.close());
  return storage;
}

/** What the stores answer, ids included. */
export async function everything(storage: Storage): Promise<unknown> {
  await aggregateAll(storage);
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const recent = [];
  for await (const attempt of storage.decisions.recent(0)) recent.push(attempt);
  const { listEntries, rollups, audit, apiKeys, accounts, exports, sessions, accountTokens } = storage;
  const all = await accounts.page({ after: null, limit: 100, text: null });
  const ann = await storage.users.findByEmail('ann@example.com');
  return {
    recent,
    all,
    ann,
    keys: await apiKeys.list(),
    used: await Promise.all(all.map(async ({ id }) => storage.quotas.usage(id, NOON))),
    sessions: await sessions.list(ann?.id ?? ''),
    tokens: [await accountTokens.find('reset'), await accountTokens.find('used')],
    authorized: [await apiKeys.authorize('sha live', NOON), await apiKeys.authorize('sha revoked', NOON)],
    held: await storage.heldSignups.find('page held 3', NOON),
    lists: await listEntries.state(),
    audit: await audit.page({ before: null, limit: 100 }),
    export: await exports.progress('warehouse'),
    trims: await storage.decisions.trims(),
    policy: await storage.decisions.findPolicy('p'),
    decisions: [...(await rollups.decisions(ALL))].sort(byText),
    reasons: [...(await rollups.reasons(ALL))].sort(byText),
    durations: await rollups.durations(ALL),
    counted: await countAll(storage),
  };
}
