import type { Config, ProxyConfig } from './config.ts';

/** The state of the configuration file beside the running process. */
export interface ConfigurationStatus {
  /** Settings whose new values wait for a restart, as paths of the YAML. */
  readonly waiting: readonly string[];
  /** Null when the newest content of the file is active. */
  readonly refused: RefusedConfiguration | null;
}

export interface RefusedConfiguration {
  /** When the first refused content was read. */
  readonly since: number;
  /** The mistakes, one on each line. */
  readonly because: string;
}

export interface Reload {
  /** The changed configuration, with the values of the start for all settings that wait for a restart. */
  readonly config: Config;
  readonly waiting: readonly string[];
}

type Section = Readonly<Record<string, unknown>>;

/** Listeners, connections and secrets of stored data are opened at the start. A section stands for all its settings. */
const NEEDS_RESTART = [
  'api.listen',
  'proxy.listen',
  'proxy.upstream',
  'proxy.timeouts',
  'proxy.proxy_protocol',
  'proxy.max_upstream_connections',
  'storage.records',
  'storage.counters',
  'verification.hold_secrets',
  'dashboard.listen',
  'exports',
  'log.decisions',
  'privacy.hash_secret',
  'server',
  'telemetry',
  'workers',
] as const;

/** What a reload makes active now, and what a restart would change. `started` is the configuration of the start. */
export function planReload(started: Config, changed: Config): Reload {
  const waiting: string[] = [];
  const proxy = proxyInForce(started.proxy, changed.proxy, waiting);
  let config: Config = { ...changed, proxy };
  for (const path of NEEDS_RESTART) {
    const [section, key] = path.split('.') as [keyof Config, string?];
    // The gate as a whole waits, or does not exist.
    if (section === 'proxy' && (started.proxy === null || changed.proxy === null)) continue;
    const before = key === undefined ? started[section] : (started[section] as Section)[key];
    const after = key === undefined ? changed[section] : (changed[section] as Section)[key];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    waiting.push(path);
    const kept = key === undefined ? before : { ...(config[section] as Section), [key]: before };
    config = { ...config, [section]: kept };
  }
  return { config, waiting };
}

/** A gate is opened or closed only by a restart, and so is TLS; its certificates are reloaded. */
function proxyInForce(
  started: ProxyConfig | null,
  changed: ProxyConfig | null,
  waiting: string[],
): ProxyConfig | null {
  if (started === null || changed === null) {
    if (started !== changed) waiting.push('proxy');
    return started;
  }
  if ((started.tls === null) === (changed.tls === null)) return changed;
  waiting.push('proxy.tls');
  return { ...changed, tls: started.tls };
}
