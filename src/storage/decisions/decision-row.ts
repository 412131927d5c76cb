import type { Insertable, Selectable } from 'kysely';
import type { AttemptIdentity } from '../../assessment/identity.ts';
import { FACTORS, notEvaluatedCode, type ReasonCode } from '../../assessment/reasons.ts';
import type { Examinations, ListVerdict } from '../../assessment/score.ts';
import type { DecisionRecord, Label, ReplayableDecision, StoredDecision } from './decision-record.ts';
import type { DecisionsTable } from './decision-tables.ts';
import { parseStored } from './parse-stored.ts';
import { readExaminations } from './read-examinations.ts';

type NewDecisionRow = Required<
  Omit<Insertable<DecisionsTable>, 'id' | 'outcome' | 'label' | 'concluded_at' | 'repeats' | 'last_seen_at'>
>;
export type DecisionRow = Selectable<DecisionsTable>;

/** The part of the identity without columns of its own. */
export type HiddenIdentity = Pick<AttemptIdentity, 'ip' | 'site' | 'style' | 'countedAs' | 'mailServer'>;
/** Missing in decisions from before styles existed. */
export type StoredIdentity = Omit<HiddenIdentity, 'style'> & Partial<Pick<HiddenIdentity, 'style'>>;

/** Fields without a column for lists or filters are stored as JSON: they are read only with the whole decision. */
type Detail = Pick<DecisionRecord, 'examinations' | 'lists' | 'elapsedMs' | 'plain'>;

/** The columns of a decision that rollups count by. */
export type CountedColumns = Pick<
  NewDecisionRow,
  | 'processed_at'
  | 'account_id'
  | 'door'
  | 'route'
  | 'mode'
  | 'risk_level'
  | 'wanted_action'
  | 'degraded'
  | 'test'
  | 'codes'
>;

export function toCountedColumns(decision: DecisionRecord): CountedColumns {
  return {
    processed_at: decision.processedAt,
    account_id: decision.accountId,
    door: decision.door,
    route: decision.route,
    mode: decision.mode,
    risk_level: decision.riskLevel,
    wanted_action: decision.wantedAction,
    degraded: decision.degraded ? 1 : 0,
    test: decision.test ? 1 : 0,
    codes: codesOf(decision.examinations, decision.lists),
  };
}

/** In the order of `toParameters`. */
export const DECISION_COLUMNS = [
  'request_id',
  'processed_at',
  'door',
  'account_id',
  'key_id',
  'test',
  'scope',
  'route',
  'trust_score',
  'risk_level',
  'wanted_action',
  'action',
  'mode',
  'degraded',
  'mailbox',
  'spelling',
  'domain',
  'network',
  'template',
  'user_agent',
  'codes',
  'policy_revision',
  'data_revision',
  'identity',
  'detail',
] as const satisfies readonly (keyof NewDecisionRow)[];

/**
 * A new row as the parameters of its insert. A list, because an object that is turned into one takes 2 µs more.
 *
 * @param counted of the same decision.
 */
export function toParameters(decision: DecisionRecord, counted: CountedColumns): readonly unknown[] {
  const { identity, examinations, lists, elapsedMs, plain } = decision;
  return [
    decision.requestId,
    counted.processed_at,
    counted.door,
    counted.account_id,
    decision.keyId,
    counted.test,
    decision.scope,
    counted.route,
    decision.trustScore,
    counted.risk_level,
    counted.wanted_action,
    decision.action,
    counted.mode,
    counted.degraded,
    identity.mailbox,
    identity.spelling,
    identity.domain,
    identity.network,
    identity.template,
    identity.userAgent,
    counted.codes,
    decision.policyRevision,
    decision.dataRevision,
    JSON.stringify(hiddenIdentityOf(decision)),
    JSON.stringify({ examinations, lists, elapsedMs, plain } satisfies Detail),
  ];
}

/** It contains the mail server that the judge looked up, so a start can learn the past from it. */
export function hiddenIdentityOf({
  identity,
  examinations,
}: Pick<DecisionRecord, 'identity' | 'examinations'>): HiddenIdentity {
  const { ip, site, style, countedAs } = identity;
  return { ip, site, style, countedAs, mailServer: examinations.email?.fields?.mail_server };
}

export function fromDecisionRow(row: DecisionRow): StoredDecision {
  const detail = parseStored(row.detail, row.id) as Detail;
  return {
    requestId: row.request_id,
    processedAt: row.processed_at,
    door: row.door as DecisionRecord['door'],
    accountId: row.account_id,
    keyId: row.key_id,
    test: row.test === 1,
    scope: row.scope,
    route: row.route,
    identity: identityOf(row),
    trustScore: row.trust_score,
    riskLevel: row.risk_level as DecisionRecord['riskLevel'],
    action: actionOf(row),
    wantedAction: row.wanted_action as DecisionRecord['wantedAction'],
    mode: row.mode as DecisionRecord['mode'],
    degraded: row.degraded === 1,
    examinations: readExaminations(detail.examinations),
    lists: detail.lists,
    policyRevision: row.policy_revision,
    dataRevision: row.data_revision,
    elapsedMs: detail.elapsedMs,
    plain: detail.plain,
    outcome: row.outcome,
    label: row.label as Label | null,
    repeats: row.repeats,
    lastSeenAt: row.last_seen_at,
  };
}

function actionOf(row: DecisionRow): DecisionRecord['action'] {
  const action =
    row.action ?? (row.wanted_action !== null && row.mode === 'monitor' ? 'forward' : row.wanted_action);
  return action as DecisionRecord['action'];
}

/** The columns for computing a score again: reading half of the columns takes half of the time. */
export const REPLAYABLE_COLUMNS = [
  'id',
  'request_id',
  'processed_at',
  'route',
  'trust_score',
  'risk_level',
  'mailbox',
  'domain',
  'network',
  'identity',
  'detail',
  'outcome',
  'label',
] as const;

export function toReplayable(
  row: Pick<DecisionRow, (typeof REPLAYABLE_COLUMNS)[number]>,
): ReplayableDecision {
  const { examinations, lists } = parseStored(row.detail, row.id) as Detail;
  const { ip, site } = parseStored(row.identity, row.id) as StoredIdentity;
  return {
    requestId: row.request_id,
    processedAt: row.processed_at,
    route: row.route,
    trustScore: row.trust_score,
    riskLevel: row.risk_level as DecisionRecord['riskLevel'],
    identity: { mailbox: row.mailbox, domain: row.domain, network: row.network, ip, site },
    examinations: readExaminations(examinations),
    lists,
    outcome: row.outcome,
    label: row.label as Label | null,
  };
}

export function identityOf(
  row: Pick<
    DecisionRow,
    'id' | 'mailbox' | 'spelling' | 'domain' | 'network' | 'template' | 'user_agent' | 'identity'
  >,
): AttemptIdentity {
  const { mailbox, spelling, domain, network, template, user_agent: userAgent } = row;
  const hidden = parseStored(row.identity, row.id) as StoredIdentity;
  return { mailbox, spelling, domain, network, template, userAgent, style: null, ...hidden };
}

/**
 * All reason codes of a decision as the column `codes` stores them, each once, between two spaces: those of the lists,
 * then by factor the classification, the findings and whether it was not evaluated.
 */
export function codesOf(examinations: Examinations, lists: readonly ListVerdict[]): string {
  let codes = ' ';
  const add = (code: ReasonCode): void => {
    if (!codes.includes(` ${code} `)) codes += `${code} `;
  };
  for (const { code } of lists) add(code);
  for (const factor of FACTORS) {
    const examination = examinations[factor];
    if (examination) {
      add(examination.classification);
      for (const { code } of examination.findings) add(code);
    }
    if (!examination || examination.incomplete !== null) add(notEvaluatedCode(factor));
  }
  return codes;
}

/** The codes of the column `codes`, in their order. */
export function readCodes(codes: string): readonly ReasonCode[] {
  return codes.split(' ').filter((code) => code !== '') as ReasonCode[];
}
