import { randomUUID } from 'node:crypto';
import { refusesSettings, settingsOf } from './postgres-engine.ts';
import { openPostgresSession } from './postgres-session.ts';
import { parsePostgresUrl } from './postgres-url.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** A hundred times longer than on a server that is near. */
const WAIT_MS = 2_000;

/**
 * Whether a notification of one connection reaches another one. A pooler in transaction mode accepts LISTEN and delivers
 * nothing.
 *
 * @throws when the server does not answer.
 */
export async function doNotificationsArrive(url: string): Promise<boolean> {
  const parsed = parsePostgresUrl(url);
  const address = { ...parsed, connectTimeoutMs: Math.min(parsed.connectTimeoutMs, CONNECT_TIMEOUT_MS) };
  const isPooled = await refusesSettings(address);
  const kind = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, isPooled, isReader: true, max: 1 };
  const channel = `gatekeeper_${randomUUID().replaceAll('-', '')}`;
  let answer: (hasArrived: boolean) => void = () => {};
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const listening = await openPostgresSession(settingsOf(address, kind), () => answer(true));
  try {
    await listening.query(`LISTEN ${channel}`);
    const sending = await openPostgresSession(settingsOf(address, kind), () => {});
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
