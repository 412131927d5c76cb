import { randomUUID } from 'node:crypto';
import { probePostgres } from './postgres-probe.ts';
import { openPostgresSession } from './postgres-session.ts';

/** A hundred times longer than on a server that is near. */
const WAIT_MS = 2_000;

/**
 * Whether a notification of one connection reaches another one. A pooler in transaction mode accepts LISTEN and delivers
 * nothing.
 *
 * @throws when the server does not answer.
 */
export async function doNotificationsArrive(url: string): Promise<boolean> {
  const { settings } = await probePostgres(url);
  const channel = `gatekeeper_${randomUUID().replaceAll('-', '')}`;
  let answer: (hasArrived: boolean) => void = () => {};
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const listening = await openPostgresSession(settings, () => answer(true));
  try {
    await listening.query(`LISTEN ${channel}`);
    const sending = await openPostgresSession(settings, () => {});
    try {
      await sending.query(`NOTIFY ${channel}`);
    } finally {
      await sending.close();
    }
    const timer = setTimeout(() => answer(false), WAIT_MS);
    const hasArrived = await answered;
    clearTimeout(timer);
    return hasArrived;
  } finally {
    await listening.close();
  }
}
