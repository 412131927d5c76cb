import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { AlertStore, DueAlert } from '../storage/alerts/alert-store.ts';
import type { AttackStore } from '../storage/attacks/attack-store.ts';
import type { IncidentStore } from '../storage/incidents/incident-store.ts';
import { repeat } from '../storage/repeat.ts';
import type { AlertMetrics } from '../telemetry/export-metrics.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  type AlertConfig,
  type AlertMessage,
  describeAttackAlert,
  describeIncidentAlert,
  wantsIncident,
} from './alert-message.ts';
import { isQuiet } from './quiet-hours.ts';
import { retryDelayMs, withRetryAfter } from './retry-delay.ts';
import { sendAlert } from './send-alert.ts';

const EVERY_MS = 5_000;
/**
 * The duration of the lease. It is longer than one attempt. If a process stops suddenly, another process continues
 * after this time.
 */
const LEASE_MS = 60_000;
/**
 * The age from which an ended attack or incident gets no message, because the receiver is new or no process was
 * running.
 */
const NEWS_MS = 3_600_000;
/** The limit of attempts. They take about half an hour. */
const MAX_TRIES = 12;
/** The limit of messages in one run. They are sent one after another. */
const MAX_SENT = 20;

export interface Alerts {
  close(): Promise<void>;
}

export interface AlertDependencies {
  readonly config: () => Pick<Config, 'alerts' | 'mail' | 'dashboard'>;
  readonly attacks: Pick<AttackStore, 'within' | 'find'>;
  readonly incidents: Pick<IncidentStore, 'within' | 'find'>;
  readonly alerts: AlertStore;
  readonly metrics: AlertMetrics;
  /** Whether this node sends the alerts. */
  readonly isHolder: () => boolean;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly everyMs?: number;
}

/**
 * Sends one message for each attack or incident and receiver. Waiting messages are stored. So a restart loses no
 * message, and sends no message twice.
 */
export function openAlerts(parts: AlertDependencies): Alerts {
  const { config, attacks, incidents, alerts, metrics, isHolder, clock, log, everyMs = EVERY_MS } = parts;
  let isFailing = false;
  const repeated = repeat(run, everyMs);

  async function run(): Promise<void> {
    const receivers = config().alerts;
    if (receivers.length === 0 || !isHolder()) return;
    try {
      await plan(receivers);
      for (let sent = 0; sent < MAX_SENT && !repeated.isClosed; sent++) {
        const due = await alerts.claim(clock(), LEASE_MS, quietNow(receivers));
        if (!due) break;
        await deliver(due, receivers);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing && !repeated.isClosed)
        log.error({ err: error }, 'alerts could not be read from the storage');
      isFailing = true;
    }
  }

  async function plan(receivers: readonly AlertConfig[]): Promise<void> {
    const now = clock();
    const time = { from: now - NEWS_MS, to: now + 1 };
    const [begun, seen] = [await attacks.within(time), await incidents.within(time)];
    for (const receiver of receivers) {
      const events = [
        ...(receiver.about.includes('attacks') ? begun : []),
        ...seen.filter((incident) => wantsIncident(receiver, incident)),
      ];
      await alerts.plan(
        events.map(({ id }) => ({ eventId: id, receiver: receiver.name })),
        now,
      );
    }
  }

  /** The receivers whose messages wait. Their hours apply as they are now, also to a message that was tried before. */
  function quietNow(receivers: readonly AlertConfig[]): readonly string[] {
    const quiet = receivers.filter(({ quiet_hours }) => isQuiet(quiet_hours, clock()));
    return quiet.map(({ name }) => name);
  }

  async function deliver(due: DueAlert, receivers: readonly AlertConfig[]): Promise<void> {
    const receiver = receivers.find(({ name }) => name === due.receiver);
    const { mail, dashboard } = config();
    const dashboardUrl = dashboard.public_url ?? `http://${dashboard.listen}`;
    const message = receiver ? await describe(due.eventId, dashboardUrl) : null;
    if (!receiver || !message) return await alerts.settle(due, { nextAt: null });
    const result = await sendAlert(receiver, message, { mail, dashboardUrl, clock });
    if (result.isDelivered) {
      metrics.tried(receiver.name, 'sent');
      log.info({ alert: receiver.name, about: message.type, id: message.id }, 'an alert was sent');
      return await alerts.settle(due, 'sent');
    }
    const isLast = due.tries + 1 >= MAX_TRIES;
    metrics.tried(receiver.name, isLast ? 'given_up' : 'failed');
    const delayMs = withRetryAfter(retryDelayMs(due.tries, Math.random()), result.retryAfterMs);
    log.warn({ alert: receiver.name, because: result.because, isLast }, 'an alert could not be sent');
    await alerts.settle(due, { nextAt: isLast ? null : clock() + delayMs });
  }

  async function describe(id: string, dashboardUrl: string): Promise<AlertMessage | null> {
    const attack = await attacks.find(id);
    if (attack) return describeAttackAlert(attack, dashboardUrl);
    const incident = await incidents.find(id);
    return incident && describeIncidentAlert(incident, dashboardUrl);
  }

  return { close: repeated.close };
}
