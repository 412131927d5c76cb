import type { Config } from '../config/config.ts';
import { addressUrl, type ListenAddress } from '../config/listen-address.ts';

/** Where people reach the dashboard, without a slash at the end. `address` is where it listens. */
export function dashboardUrl({ dashboard }: Config, address: ListenAddress): string {
  return dashboard.public_url ?? addressUrl(address, false);
}
