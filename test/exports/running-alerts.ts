import type { ExecutionContext } from 'ava';
import type { AlertConfig } from '../../src/exports/alert-message.ts';
import { openAlerts } from '../../src/exports/open-alerts.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';

const MINUTE = 60_000;
/** Receivers refuse signatures of another time. */
export const NOW = Date.now();

export function start(
  t: ExecutionContext,
  records: Storage,
  alerts: readonly AlertConfig[],
  { clock = () => NOW, smtp = null }: { readonly clock?: () => number; readonly smtp?: string | null } = {},
) {
  const dashboard = { ...defaultConfig.dashboard, public_url: 'https://gatekeeper.example' };
  const log = { info() {}, warn() {}, error: (facts: object) => t.log(facts) };
  const metrics = createMetrics();
  const opened = openAlerts({
    ...{ config: () => ({ alerts: [...alerts], mail: { ...defaultConfig.mail, smtp }, dashboard }) },
    ...{ attacks: records.attacks, incidents: records.incidents, alerts: records.alerts },
    ...{ metrics: metrics.alerts, isHolder: () => true, clock, log, everyMs: 20 },
  });
  t.teardown(() => opened.close());
  /** How often a message of the receiver had this result. */
  const counted = (name: string, result: string) => {
    const all = metrics.counters.find((counter) => counter.name === 'alert_messages_total');
    return [...(all?.series() ?? [])].find(([labels]) => labels.join() === `${name},${result}`)?.[1] ?? 0;
  };
  return { ...opened, counted };
}

/** Thirty signups of one domain, as many as an attack. */
export async function attack(records: Storage, domain: string): Promise<void> {
  const burst = { code: 'domain_burst', evidence: null } as const;
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      records.decisions.record(
        decisionWith({
          ...{ processedAt: NOW - 30 * MINUTE + i * 1_000, riskLevel: 'medium' },
          identity: {
            ...{ mailbox: `${domain}-${i}`, spelling: `${domain}-${i}`, domain, ip: `ip-${i}`, site: null },
            ...{ network: `10.0.${i}.0/24`, userAgent: 'agent', template: null, style: 'n.n' },
          },
          examinations: examinations({ velocity: examination('normal_velocity', burst) }),
        }),
      ),
    ),
  );
  const events = await records.attacks.detect(NOW);
  if (events.length === 0) throw new Error('the attack was not detected');
}
