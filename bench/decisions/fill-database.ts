/**
 * Creates a database with a history of decisions, for trying out and for measuring: `tsx
 * bench/decisions/fill-database.ts NEW_FILE [COUNT] [DAYS]`.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { loadFrom } from '../../src/cli/load-config.ts';
import { openConfiguredJudge } from '../../src/configured-judge.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { createDecisionHistory } from './decision-history.ts';

const DAY_MS = 86_400_000;
const GROUP = 500;
/** One in three medium signups was verified; one in a thousand decisions was labelled. */
const AFTERMATH = [
  "UPDATE decisions SET outcome = 'verified' WHERE action = 'verify' AND id % 3 = 0",
  "UPDATE decisions SET outcome = 'expired' WHERE action = 'verify' AND id % 3 = 1",
  "UPDATE decisions SET label = 'legitimate' WHERE id % 1999 = 0",
  "UPDATE decisions SET label = 'fraud' WHERE id % 2003 = 0",
];

export interface FilledDatabase {
  readonly file: string;
  readonly count: number;
  readonly days: number;
  /** The time of the newest decision. */
  readonly until: number;
}

export async function fillDatabase({ file, count, days, until }: FilledDatabase): Promise<void> {
  const context = {
    cwd: tmpdir(),
    env: {},
    write: () => {},
    writeError: () => {},
    isTerminal: false,
    hasColour: false,
  };
  const { config } = loadFrom(context)(null);
  const scoring = { ...config.scoring, dns: { ...config.scoring.dns, enabled: false } };
  const datasets = await openDatasets({
    folder: fileURLToPath(new URL('../../datasets/', import.meta.url)),
    feedsFolder: tmpdir(),
    config: config.datasets,
    clock: () => until,
  });
  const records = await openStorage({ url: `sqlite:${file}`, clock: () => until });
  const configured = openConfiguredJudge({ datasets, counters: createMemoryCounters(), log: console });
  try {
    const judge = configured.judgeFor({ ...config, scoring });
    await records.decisions.savePolicy(judge.policyRevision, judge.policy);
    const keys = [];
    for (const name of ['shop', 'forum', 'news', 'bank']) {
      const account = await records.accounts.create({ name, plan: 'unlimited' });
      const key = {
        accountId: account.id,
        name,
        sha256: name,
        lastFour: 'abcd',
        test: false,
        expiresAt: null,
      };
      keys.push({ accountId: account.id, keyId: (await records.apiKeys.create(key)).id });
    }
    let group: Promise<string>[] = [];
    const from = until - days * DAY_MS;
    for await (const decision of createDecisionHistory({
      judge,
      keys,
      count,
      from,
      to: until,
      datasets: datasets.current,
    })) {
      group.push(records.decisions.record(decision));
      if (group.length < GROUP) continue;
      await Promise.all(group);
      group = [];
    }
    await Promise.all(group);
    while ((await records.rollups.aggregate()).hasMore);
  } finally {
    await records.close();
    configured.close();
    datasets.close();
  }
  const connection = openSqlite(file);
  for (const change of AFTERMATH) connection.exec(change);
  connection.close();
}

const [, script, file, count = '1000000', days = '30'] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  if (file === undefined || existsSync(file)) {
    console.error('Usage: tsx bench/decisions/fill-database.ts NEW_FILE [COUNT] [DAYS]');
    process.exitCode = 1;
  } else {
    await fillDatabase({ file, count: Number(count), days: Number(days), until: Date.now() });
  }
}
