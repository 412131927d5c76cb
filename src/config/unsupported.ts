import type { Config } from './config.ts';

/** What the contract of the configuration has and this version cannot serve yet, as sentences that say what to do. */
export function findUnsupported(config: Config): readonly string[] {
  const found: string[] = [];
  if (!config.storage.records.startsWith('sqlite:')) {
    found.push('storage.records: this version keeps records in SQLite; use sqlite:./data/gatekeeper.db');
  }
  if (config.storage.counters !== 'memory') {
    found.push('storage.counters: this version keeps counters in memory; use memory');
  }
  if (config.workers > 1) {
    found.push('workers: this version runs one process; use 1');
  }
  if (config.proxy) {
    found.push('proxy: this version serves the API door alone; leave the section out');
  }
  return found;
}

/** What a reload cannot change, as the keys whose new values wait for a restart. */
export function findNeedingRestart(before: Config, after: Config): readonly string[] {
  const settings = {
    'api.listen': (config: Config) => config.api.listen,
    proxy: (config: Config) => config.proxy && { ...config.proxy, routes: [] },
    storage: (config: Config) => config.storage,
    datasets: (config: Config) => config.datasets,
    'privacy.hash_secret': (config: Config) => config.privacy.hash_secret,
    log: (config: Config) => config.log,
    server: (config: Config) => config.server,
    workers: (config: Config) => config.workers,
  };
  return Object.entries(settings)
    .filter(([, read]) => JSON.stringify(read(before)) !== JSON.stringify(read(after)))
    .map(([key]) => key);
}
