import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { describeTestAlert } from '../exports/alert-message.ts';
import { sendAlert } from '../exports/send-alert.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

export interface TestAlertsContext extends Pick<CommandContext, 'write' | 'writeError'> {
  readonly config: Pick<Config, 'alerts' | 'mail' | 'dashboard'>;
  readonly clock: Clock;
}

/** Sends a test message immediately, also in quiet hours, and prints which receivers accepted it. */
export async function testAlerts(
  name: string | null,
  { config, clock, write, writeError }: TestAlertsContext,
): Promise<ExitCode> {
  const { alerts, mail, dashboard } = config;
  const chosen = alerts.filter((receiver) => name === null || receiver.name === name);
  if (chosen.length === 0) {
    writeError(
      name === null || alerts.length === 0
        ? 'No receiver of alerts is configured. Add one to alerts in the configuration.\n'
        : `The receiver ${name} does not exist. Receivers: ${alerts.map((one) => one.name).join(', ')}\n`,
    );
    return 1;
  }
  const dashboardUrl = dashboard.public_url ?? `http://${dashboard.listen}`;
  const message = describeTestAlert({ id: randomUUID(), now: clock() }, dashboardUrl);
  let isFailing = false;
  for (const receiver of chosen) {
    const result = await sendAlert(receiver, message, { mail, dashboardUrl, clock });
    const place = `${receiver.name} (${receiver.to})`;
    if (result.isDelivered) write(`${place}: sent\n`);
    else writeError(`${place}: not sent, ${result.because}\n`);
    isFailing ||= !result.isDelivered;
  }
  return isFailing ? 2 : 0;
}
