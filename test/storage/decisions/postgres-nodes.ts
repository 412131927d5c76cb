import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type FaultProxy, openFaultProxy } from '../../helpers/fault-proxy.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';
import { NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
export const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`exact counts on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

interface Node {
  readonly storage: Storage;
  readonly proxy: FaultProxy;
  readonly url: string;
}

/** Nodes of one fleet, each behind a proxy of its own. */
export async function openNodes(
  t: ExecutionContext,
  count: number,
  connectTimeoutS = 60,
): Promise<readonly Node[]> {
  const { direct } = await postgresDatabase(t);
  const nodes: Node[] = [];
  for (let n = 0; n < count; n++) {
    const url = new URL(direct);
    const proxy = await openFaultProxy(Number(url.port));
    url.port = String(proxy.port);
    url.searchParams.set('connect_timeout', String(connectTimeoutS));
    const storage = await openStorage({ url: url.href, clock: () => NOON });
    nodes.push({ storage, proxy, url: url.href });
  }
  t.teardown(async () => {
    for (const { storage, proxy } of nodes) {
      await proxy.set('pass');
      await storage.close();
      await proxy.close();
    }
  });
  return nodes;
}

export async function rowsOf({ decisionSearch }: Storage): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>();
  for await (const found of decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
    for (const { requestId, repeats } of found) rows.set(requestId, 1 + repeats);
  }
  return rows;
}

/** For reading when every node has written, or taken back, what it had. */
export async function reopen(t: ExecutionContext, nodes: readonly Node[]): Promise<Storage> {
  for (const { storage } of nodes) await storage.close();
  const storage = await openStorage({ url: pick(nodes, 0).url, clock: () => NOON });
  t.teardown(() => storage.close());
  return storage;
}

export const pick = <T>(list: readonly T[], n: number): T => {
  const one = list[n % list.length];
  if (one === undefined) throw new Error('the list is empty');
  return one;
};
