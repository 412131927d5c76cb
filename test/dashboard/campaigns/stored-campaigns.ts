import type { DashboardServer } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';

export const TEMPLATE = 'templatetemplatetempla';
/** As long as a real one. */
export const mailbox = (n: number) => `mailbox${String(n).padStart(15, '0')}`;

/** Eight mailboxes of one pattern; five passed, three were blocked. */
export function storeCampaign(server: DashboardServer) {
  return storeDecisions(
    server,
    Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n), domain: `d${n % 2}.example` }),
      action: n < 5 ? ('forward' as const) : ('block' as const),
    })),
  );
}

export const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
export const linkIn = (body: string, pattern: RegExp) =>
  (pattern.exec(body)?.[1] ?? '').replaceAll('&amp;', '&');
