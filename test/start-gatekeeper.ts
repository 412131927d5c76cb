import { createHash } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Config } from '../src/config/config.ts';
import { startGatekeeper } from '../src/gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { defaultConfig } from './helpers/default-config.ts';
import { writeEmptyDatabase } from './helpers/empty-database.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

/** A whole Gatekeeper in this process, and the configuration it started with. */
export async function start(
  t: ExecutionContext,
  more: (base: Config, folder: string) => Partial<Config> = () => ({}),
) {
  const folder = temporaryFolder(t);
  const base: Config = {
    ...defaultConfig,
    api: { ...defaultConfig.api, listen: '127.0.0.1:0', keys: [keyOf('first')] },
    server: { ...defaultConfig.server, max_lag: 60_000, drain_timeout: 1_000 },
    scoring: { ...defaultConfig.scoring, dns: { ...defaultConfig.scoring.dns, enabled: false } },
    storage: { ...defaultConfig.storage, records: `sqlite:${folder}/gatekeeper.db` },
    dashboard: { ...defaultConfig.dashboard, listen: '127.0.0.1:0' },
  };
  const config = { ...base, ...more(base, folder) };
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const gatekeeper = await startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  t.teardown(() => gatekeeper.stop());
  const score = async (key: string, email = 'jane.doe@gmail.com', ip = '2.125.160.216') =>
    fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, ip_address: ip }),
    });
  const ready = async () => (await fetch(`${gatekeeper.apiUrl}/readyz`)).json() as Promise<object>;
  return { folder, config, gatekeeper, lines, log, score, ready };
}

export const keyOf = (name: string) =>
  ({ name, sha256: sha256(name), plan: 'unlimited', scope: null }) as const;
