import type { Config } from './config.ts';

/** Whether a route, outside a dry run, asks senders to prove by mail that the mailbox is theirs. */
export function verifiesByMail({ proxy }: Pick<Config, 'proxy'>): boolean {
  return (proxy?.routes ?? []).some(
    (route) =>
      route.mode === 'enforce' &&
      route.verify.by === 'email' &&
      [route.on_low, route.on_medium, route.on_high, route.on_error].includes('verify'),
  );
}
