import type { Config } from '../config/config.ts';
import type { ListenAddress } from '../config/listen-address.ts';

/** Where people reach the dashboard, without a slash at the end. `address` is where it listens. */
export function dashboardUrl({ dashboard }: Config, { host, port }: ListenAddress): string {
  if (dashboard.public_url !== null) return dashboard.public_url;
  // Every address of the machine, which is none that a browser could open.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
