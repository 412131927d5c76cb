import type { Config, ProxyConfig } from './config.ts';

/** The state of the configuration file, compared with the running process. */
export interface ConfigurationStatus {
  /** Settings whose new values become active only after a restart, as paths of the YAML. */
  readonly waiting: readonly string[];
  /** Null when the newest content of the file is active. */
  readonly refused: RefusedConfiguration | null;
}

export interface RefusedConfiguration {
  /** When the first refused content was read. */
  readonly since: number;
  /** The config issues, one on each line. */
  readonly because: string;
}

export interface Reload {
  /** The changed configuration. Settings that wait for a restart have their active values. */
  readonly config: Config;
  readonly waiting: readonly string[];
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Settings that need a restart. Listeners, connections and secrets of stored data are opened at the start. The name of
 * a section stands for all its settings.
 */
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

/**
 * Separates the changes that a reload makes active from those that need a restart. `active` is the configuration of the
 * last reload, or of the start: what a file leaves out until a restart keeps the settings of the last reload.
 */
export function planReload(active: Config, changed: Config): Reload {
  const waiting: string[] = [];
  const proxy = proxyInForce(active.proxy, changed.proxy, waiting);
  let config: Config = { ...changed, proxy };
  for (const path of NEEDS_RESTART) {
    const [section, key] = path.split('.') as [keyof Config, string?];
    // The whole gate waits for the restart, or the gate does not exist.
    if (section === 'proxy' && (active.proxy === null || changed.proxy === null)) continue;
    const before = key === undefined ? active[section] : (active[section] as Section)[key];
    const after = key === undefined ? changed[section] : (changed[section] as Section)[key];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    waiting.push(path);
    const kept = key === undefined ? before : { ...(config[section] as Section), [key]: before };
    config = { ...config, [section]: kept };
  }
  return { config, waiting };
}

/** The gate and TLS can be switched on or off only by a restart. Certificates are reloaded. */
function proxyInForce(
  active: ProxyConfig | null,
  changed: ProxyConfig | null,
  waiting: string[],
): ProxyConfig | null {
  if (active === null || changed === null) {
    if (active !== changed) waiting.push('proxy');
    return active;
  }
  if ((active.tls === null) === (changed.tls === null)) return changed;
  waiting.push('proxy.tls');
  return { ...changed, tls: active.tls };
}
