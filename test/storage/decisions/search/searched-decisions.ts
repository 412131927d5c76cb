import type { StoredDecision } from '../../../../src/storage/decisions/decision-record.ts';
import type { DecisionFilter } from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
export const LEVELS = ['low', 'medium', 'high'] as const;
const ACTIONS = [null, 'forward', 'verify', 'block'] as const;
const DOMAINS = ['one.example', 'two.example', null];
const CODES = ['tor_ip', 'vpn_ip'] as const;

/** A hundred and some decisions in which every filter has something to find and something to leave out. */
export async function fill(records: Storage): Promise<[Storage, readonly StoredDecision[]]> {
  const made = Array.from({ length: 120 }, (_, n) => {
    const action = ACTIONS[n % 4] ?? null;
    const { identity } = decisionWith();
    return decisionWith({
      // Several in one millisecond, so that the order within it matters.
      processedAt: NOON + Math.floor(n / 7),
      accountId: action === null ? `account-${n % 3}` : null,
      keyId: action === null ? `key-${n % 5}` : null,
      door: action === null ? 'api' : 'gate',
      route: action === null ? null : `route-${n % 2}`,
      action,
      mode: action === null ? null : n % 8 === 1 ? 'monitor' : 'enforce',
      riskLevel: LEVELS[n % 3] ?? 'low',
      test: n % 11 === 0,
      identity: {
        ...identity,
        domain: DOMAINS[n % 3] ?? null,
        ip: `ip-${n}`,
        mailbox: `mailbox-${n % 9}`,
        network: `203.0.${n % 4}.0/24`,
        template: n % 6 === 0 ? 'template' : null,
        userAgent: `agent-${n % 2}`,
      },
      examinations: {
        ...decisionWith().examinations,
        ip_address: {
          classification: 'business_ip',
          evidence: null,
          findings: n % 5 < 2 ? [{ code: CODES[n % 2] ?? 'tor_ip', evidence: null }] : [],
          incomplete: null,
        },
      },
    });
  });
  for (const decision of made) await records.decisions.record(decision);
  const stored: StoredDecision[] = [];
  for (const [n, decision] of made.entries()) {
    const label = n % 10 === 0 ? 'fraud' : n % 10 === 1 ? 'legitimate' : null;
    if (label) await records.decisionSearch.label(decision.requestId, null, label);
    stored.unshift({ ...decision, outcome: null, label, repeats: 0, lastSeenAt: null });
  }
  return [records, stored];
}

/** The meaning of the filter, written a second time. */
export function isMeant(filter: DecisionFilter, decision: StoredDecision): boolean {
  const { identity, examinations } = decision;
  const oneOf = <T>(wanted: readonly T[], value: T | null) =>
    wanted.length === 0 || (value !== null && wanted.includes(value));
  const same = (wanted: string | null, value: string | null) => wanted === null || wanted === value;
  const codes = Object.values(examinations).flatMap((e) =>
    e ? [e.classification, ...e.findings.map(({ code }) => code)] : [],
  );
  return (
    same(filter.accountId, decision.accountId) &&
    same(filter.requestId, decision.requestId) &&
    (filter.madeAt === null || filter.madeAt === decision.processedAt) &&
    same(filter.network, identity.network) &&
    same(filter.mailbox, identity.mailbox) &&
    same(filter.template, identity.template) &&
    same(filter.userAgent, identity.userAgent) &&
    oneOf(filter.levels, decision.riskLevel) &&
    oneOf(filter.wantedActions, decision.wantedAction) &&
    oneOf(filter.doors, decision.door) &&
    oneOf(filter.routes, decision.route) &&
    oneOf(filter.keyIds, decision.keyId) &&
    oneOf(filter.domains, identity.domain) &&
    (filter.codes.length === 0 || filter.codes.some((code) => codes.includes(code as never))) &&
    (filter.from === null || decision.processedAt >= filter.from) &&
    (filter.to === null || decision.processedAt < filter.to) &&
    (filter.label === null ||
      (filter.label === 'any' ? decision.label !== null : decision.label === filter.label)) &&
    (!filter.passed ||
      decision.wantedAction === 'forward' ||
      decision.mode === 'monitor' ||
      (decision.action === null && decision.riskLevel === 'low')) &&
    (filter.includesTests || !decision.test)
  );
}
