import type { Config } from './config.ts';

/** Whether a route in enforce mode sends a mail to senders to verify their mailbox. */
export function verifiesByMail({ proxy }: Pick<Config, 'proxy'>): boolean {
  return (proxy?.routes ?? []).some(
    (route) =>
      route.mode === 'enforce' &&
      route.verify.by === 'email' &&
      [route.on_low, route.on_medium, route.on_high, route.on_error].includes('verify'),
  );
}
