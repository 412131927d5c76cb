import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Judge } from '../../src/assessment/judge.ts';
import type { DatasetsConfig } from '../../src/config/config.ts';
import { type DatasetStore, openDatasets } from '../../src/datasets/open-datasets.ts';
import { type Measurement, measureFactor } from './measurement.ts';
import { createNeutralAttempts } from './neutral-attempts.ts';
import { publicDataPath, readPublicLines } from './public-data.ts';

export interface TorRowOptions {
  readonly folder: string;
  readonly config: DatasetsConfig;
  readonly now: number;
  readonly openJudge: (datasets: DatasetStore) => Judge;
}

/** Serves the exit list over real HTTP on loopback and fetches it as an operator's feed. */
export async function measureTor({ folder, config, now, openJudge }: TorRowOptions): Promise<Measurement> {
  const list = await readFile(publicDataPath('tor-exits.txt'));
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(list);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const feedsFolder = await mkdtemp(join(tmpdir(), 'gatekeeper-evaluation-'));
  try {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/exits.txt`;
    const feeds = [
      { name: 'tor-exits', kind: 'tor', url, format: 'auto', mirrors: [], licence: null },
    ] as const;
    const store = await openDatasets({ folder, feedsFolder, config: { ...config, feeds }, clock: () => now });
    await store.refresh();
    const attempts = createNeutralAttempts(store.current, now);
    const samples = readPublicLines('tor-exits.txt').flatMap((name) => {
      const attempt = attempts.withIp(name);
      return attempt ? [{ name, attempt }] : [];
    });
    const row = await measureFactor(openJudge(store), samples, {
      set: 'tor-exits, served as a feed',
      factor: 'ip_address',
      target: { bound: 'at_least', share: 1 },
    });
    store.close();
    return row;
  } finally {
    server.close();
    await rm(feedsFolder, { recursive: true, force: true });
  }
}
