import type { Config } from '../config/config.ts';
import { addressUrl, type ListenAddress } from '../config/listen-address.ts';

/**
 * The URL of the dashboard for its users, without a slash at the end. `address` is the address that the dashboard
 * listens on.
 */
export function dashboardUrl({ dashboard }: Config, address: ListenAddress): string {
  return dashboard.public_url ?? addressUrl(address, false);
}
