import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Door } from '../../../assessment/attempt.ts';
import type { RiskLevel } from '../../../assessment/policy.ts';
import type { ReasonCode } from '../../../assessment/reasons.ts';
import type { StorageSchema } from '../../storage-schema.ts';
import type { DecisionRecord, Label } from '../decision-record.ts';

/** Of a held signup. A decision without a held signup has none. */
export const OUTCOMES = [
  'verified',
  'expired',
  'locked',
  'reported',
  'corrected',
  'let_in',
  'refused',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Null and an empty list match any decision. In a list of several values, one must match. */
export interface DecisionFilter {
  /** Null means all accounts and the gate, which has no account. */
  readonly accountId: string | null;
  /** Milliseconds since the epoch: `from` included, `to` not. */
  readonly from: number | null;
  readonly to: number | null;
  readonly requestId: string | null;
  /** The millisecond in the request id, which is also the time of the decision. */
  readonly madeAt: number | null;
  readonly levels: readonly RiskLevel[];
  readonly wantedActions: readonly NonNullable<DecisionRecord['wantedAction']>[];
  readonly doors: readonly Door[];
  readonly routes: readonly string[];
  readonly keyIds: readonly string[];
  readonly codes: readonly ReasonCode[];
  /** As decisions store them: the registrable domain, the /24 or /48, pseudonyms. */
  readonly domains: readonly string[];
  readonly network: string | null;
  readonly mailbox: string | null;
  readonly template: string | null;
  readonly userAgent: string | null;
  /** The style of a surge, as in its evidence. */
  readonly style: string | null;
  /** `any` matches every label. */
  readonly outcome: Outcome | 'any' | null;
  readonly label: Label | 'any' | null;
  /**
   * Only attempts that passed: forwarded, in monitor mode, or verified later. At the API, the action of the caller is
   * unknown, so low risk counts as passed.
   */
  readonly passed: boolean;
  /** Whether decisions of test keys match too. */
  readonly includesTests: boolean;
}

export const ANY_DECISION: DecisionFilter = {
  accountId: null,
  from: null,
  to: null,
  requestId: null,
  madeAt: null,
  levels: [],
  wantedActions: [],
  doors: [],
  routes: [],
  keyIds: [],
  codes: [],
  domains: [],
  network: null,
  mailbox: null,
  template: null,
  userAgent: null,
  style: null,
  outcome: null,
  label: null,
  passed: false,
  includesTests: false,
};

type Where = ExpressionBuilder<StorageSchema, 'decisions'>;
/** A query over decisions, with or without selected columns. */
export type DecisionQuery<Row = object> = SelectQueryBuilder<StorageSchema, 'decisions', Row>;

/** The filter as SQL over the columns of the index `decisions_search`, so that rows without a match are not read. */
export function matches(where: Where, filter: DecisionFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  const equal = <Column extends keyof StorageSchema['decisions'] & string>(
    column: Column,
    value: string | null,
  ) => {
    if (value !== null) conditions.push(where(sql.ref(column), '=', value));
  };
  const oneOf = (column: string, values: readonly string[]) => {
    if (values.length > 0) conditions.push(where(sql.ref(column), 'in', values));
  };
  equal('account_id', filter.accountId);
  equal('request_id', filter.requestId);
  if (filter.madeAt !== null) conditions.push(where('processed_at', '=', filter.madeAt));
  equal('network', filter.network);
  equal('mailbox', filter.mailbox);
  equal('template', filter.template);
  equal('user_agent', filter.userAgent);
  if (filter.style !== null) conditions.push(hasCode('cohort_surge'), hasStyle(filter.style));
  oneOf('domain', filter.domains);
  oneOf('risk_level', filter.levels);
  oneOf('wanted_action', filter.wantedActions);
  oneOf('door', filter.doors);
  oneOf('route', filter.routes);
  oneOf('key_id', filter.keyIds);
  if (filter.codes.length > 0) conditions.push(where.or(filter.codes.map((code) => hasCode(code))));
  if (filter.outcome !== null && filter.outcome !== 'any') equal('outcome', filter.outcome);
  if (filter.label !== null && filter.label !== 'any') equal('label', filter.label);
  if (filter.passed) conditions.push(hasPassed(where));
  if (!filter.includesTests) conditions.push(where('test', '=', 0));
  return where.and(conditions);
}

/**
 * The account, or empty for the gate. To count over a bounded time in the index with all columns: with the plain column,
 * SQLite would use the small index of accounts and look every row up.
 */
export const TRAFFIC_OF = sql<string>`coalesce(account_id, '')`;

/** Whether the decision has that reason code. */
export function hasCode(code: ReasonCode): Expression<SqlBool> {
  // A literal, since two parameters would make two different expressions in GROUP BY. Safe: the codes are our own.
  return sql<SqlBool>`codes LIKE ${sql.lit(`% ${code.replaceAll('_', '\\_')} %`)} ESCAPE '\\'`;
}

/**
 * Read in the evidence, which no index has: only with the code of a surge. A text that a sender wrote cannot look like
 * it, since its quotation marks are escaped there.
 */
export function hasStyle(style: string): Expression<SqlBool> {
  const escaped = JSON.stringify(style).replace(/[\\%_]/g, '\\$&');
  return sql<SqlBool>`detail LIKE ${`%"style":${escaped}%`} ESCAPE '\\'`;
}

export function hasPassed(where: Where): Expression<SqlBool> {
  return where.or([
    where('wanted_action', '=', 'forward'),
    where('mode', '=', 'monitor'),
    where('outcome', 'in', ['verified', 'let_in']),
    where.and([where('wanted_action', 'is', null), where('risk_level', '=', 'low')]),
  ]);
}
