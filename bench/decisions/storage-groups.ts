import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { openConfiguredJudge } from '../../src/configured-judge.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { DatasetStore } from '../../src/datasets/open-datasets.ts';
import { createRequestId } from '../../src/http/request-id.ts';
import type { DecisionRecord } from '../../src/storage/decisions/decision-record.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import {
  connectPostgres,
  MISSING_POSTGRES,
  postgresCluster,
  postmasterOf,
  urlOf,
} from '../../test/helpers/postgres-server.ts';
import { cpuTimeUs } from '../process-tree.ts';
import { createDecisionHistory } from './decision-history.ts';

/** Different decisions, which are written again and again under new request ids. */
const DECISIONS = 2_000;
const LIMIT = 1_000_000_000;

/** One storage of each engine, and decisions of real judgements. */
export interface StorageGroups {
  /** CPU time of this process in microseconds a decision, for so many decisions in groups of that size. */
  measure(engine: 'sqlite' | 'postgres', count: number, size: number): Promise<number>;
  /** CPU time of all processes of PostgreSQL so far, in microseconds. */
  serverMicros(): number;
  close(): Promise<void>;
}

/** What the decisions are judged with. */
export interface JudgeSource {
  readonly config: Config;
  readonly datasets: DatasetStore;
}

interface Opened {
  readonly storage: Storage;
  readonly accountId: string;
}

export async function openStorageGroups(judged: JudgeSource): Promise<StorageGroups> {
  if (MISSING_POSTGRES !== null) throw new Error(MISSING_POSTGRES);
  const decisions = await makeDecisions(judged);
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-bench-storage-'));
  const { port, folder: cluster } = await postgresCluster();
  const postmaster = postmasterOf(cluster);
  const database = `bench_${process.pid}`;
  const admin = await connectPostgres(urlOf(port, 'postgres'));
  await admin.query(`CREATE DATABASE ${database}`);
  const sqlite = await open(`sqlite:${folder}/gatekeeper.db`);
  const postgres = await open(urlOf(port, database));
  return {
    async measure(engine, count, size) {
      const { storage, accountId } = engine === 'sqlite' ? sqlite : postgres;
      const groups = Array.from({ length: count / size }, (_, group) =>
        Array.from({ length: size }, (_, n) => entryOf(decisions, { n: group * size + n, accountId })),
      );
      const before = process.cpuUsage();
      for (const group of groups) await Promise.all(group.map((entry) => storage.ledger.commit(entry)));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / count;
    },
    serverMicros: () => cpuTimeUs(postmaster),
    async close() {
      await sqlite.storage.close();
      await postgres.storage.close();
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await admin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function open(url: string): Promise<Opened> {
  const storage = await openStorage({ url, clock: Date.now });
  const { id } = await storage.accounts.create({ name: 'shop', plan: 'pro' });
  return { storage, accountId: id };
}

async function makeDecisions({ config, datasets }: JudgeSource) {
  const configured = openConfiguredJudge({ datasets, counters: createMemoryCounters(), log: console });
  const decisions: DecisionRecord[] = [];
  const to = Date.now();
  const made = createDecisionHistory({
    judge: configured.judgeFor(config),
    datasets: datasets.current,
    count: DECISIONS,
    keys: [{ accountId: 'shop', keyId: 'key' }],
    from: to - 3_600_000,
    to,
  });
  for await (const decision of made) decisions.push(decision);
  configured.close();
  return decisions;
}

function entryOf(
  decisions: readonly DecisionRecord[],
  { n, accountId }: { readonly n: number; readonly accountId: string },
) {
  const made = decisions[n % decisions.length];
  if (!made) throw new Error('there is no decision');
  const processedAt = Date.now();
  const decision: DecisionRecord = {
    ...made,
    requestId: createRequestId(processedAt),
    processedAt,
    door: 'api',
    accountId,
    keyId: 'key',
    scope: accountId,
    route: null,
    action: null,
    wantedAction: null,
    mode: null,
  };
  return { accountId, keyId: 'key', limit: LIMIT, decision, answer: null };
}
