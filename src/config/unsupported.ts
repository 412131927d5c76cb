import type { Config, ProxyConfig } from './config.ts';

/** Settings of the configuration that this version does not support yet, as sentences with the remedy. */
export function findUnsupported(config: Config): readonly string[] {
  const found: string[] = [];
  if (!config.storage.records.startsWith('sqlite:')) {
    found.push('storage.records: this version keeps records in SQLite; use sqlite:./data/gatekeeper.db');
  }
  if (config.workers > 1) {
    found.push('workers: this version runs one process; use 1');
  }
  return found;
}

/** The keys whose new values need a restart. */
export function findNeedingRestart(before: Config, after: Config): readonly string[] {
  const settings = {
    'api.listen': (config: Config) => config.api.listen,
    proxy: (config: Config) => config.proxy && withoutReloaded(config.proxy),
    storage: ({ storage }: Config) => [storage.records, storage.counters],
    datasets: (config: Config) => config.datasets,
    'verification.hold_secrets': (config: Config) => config.verification.hold_secrets,
    'privacy.hash_secret': (config: Config) => config.privacy.hash_secret,
    mail: (config: Config) => config.mail,
    'dashboard.listen': (config: Config) => config.dashboard.listen,
    log: (config: Config) => config.log,
    server: (config: Config) => config.server,
    workers: (config: Config) => config.workers,
  };
  return Object.entries(settings)
    .filter(([, read]) => JSON.stringify(read(before)) !== JSON.stringify(read(after)))
    .map(([key]) => key);
}

/** The rest of the gate's part: the settings with which its listener and its upstream connections were opened. */
function withoutReloaded({ tls, ...proxy }: ProxyConfig): object {
  const reloaded = { routes: null, trusted_proxies: null, client_ip_header: null, public_url: null };
  return { ...proxy, ...reloaded, speaksTls: tls !== null };
}
