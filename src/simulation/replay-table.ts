import type { RiskLevel } from '../assessment/policy.ts';
import type { Examination } from '../assessment/processor.ts';
import { FACTORS } from '../assessment/reasons.ts';
import type { Examinations, ListVerdict } from '../assessment/score.ts';
import type { Label, SummedDecisions } from '../storage/decisions/decision-record.ts';
import { RISK_LEVELS } from './comparison.ts';
import { knownOutcomeOf } from './known-outcome.ts';

/** The part that decisions with the same examinations have in common. */
export interface Profile {
  readonly examinations: Examinations;
  readonly lists: readonly ListVerdict[];
  /** The route, if it has its own levels. */
  readonly route: string | null;
}

/** Past decisions in a compact form: decisions with the same examinations are counted together. */
export interface ReplayTable {
  readonly profiles: readonly Profile[];
  /** The counts. Each profile has one count for each group. */
  readonly counts: Uint32Array;
  readonly decisions: number;
  /** True when there were more decisions than the limits allow: the oldest are left out. */
  readonly isLimited: boolean;
  /** The time of the oldest decision, in milliseconds since the epoch; null without decisions. */
  readonly from: number | null;
}

export interface TableLimits {
  readonly decisions: number;
  readonly profiles: number;
}

/** Groups of signups by their known outcome and their recorded level: 3 × 3 groups. */
export const GROUPS = 9;
const OUTCOMES: readonly (Label | null)[] = ['fraud', 'legitimate', null];

function groupOf(outcome: Label | null, recorded: RiskLevel): number {
  return OUTCOMES.indexOf(outcome) * RISK_LEVELS.length + RISK_LEVELS.indexOf(recorded);
}

/** All groups with their outcome and level. */
export const ALL_GROUPS = OUTCOMES.flatMap((outcome) =>
  RISK_LEVELS.map((recorded) => ({ outcome, recorded, group: groupOf(outcome, recorded) })),
);

export function createReplayTable(limits: TableLimits) {
  const shapes = { email: new Map(), ip_address: new Map(), velocity: new Map(), user_agent: new Map() };
  const places = new Map<string, number>();
  const profiles: Profile[] = [];
  let counts = new Uint32Array(1_024 * GROUPS);
  let decisions = 0;
  let isLimited = false;
  let from: number | null = null;

  /** False when the table is full. */
  function add(summed: SummedDecisions): boolean {
    const { examinations, lists, route, riskLevel, outcome, label, count, processedAt } = summed;
    const found = FACTORS.map((factor) => shapeOf(shapes[factor], examinations[factor]));
    const key = `${found.map(({ id }) => id).join(' ')} ${lists.map(({ code }) => code).join(' ')}|${route}`;
    let place = places.get(key);
    isLimited =
      decisions + count > limits.decisions || (place === undefined && profiles.length >= limits.profiles);
    if (isLimited) return false;
    if (place === undefined) {
      place = profiles.length;
      places.set(key, place);
      const shared = Object.fromEntries(FACTORS.map((factor, i) => [factor, found[i]?.examination ?? null]));
      profiles.push({ examinations: shared as Examinations, lists: lists.map(withoutEvidence), route });
      if (profiles.length * GROUPS > counts.length) counts = doubled(counts);
    }
    const at = place * GROUPS + groupOf(knownOutcomeOf(label, outcome), riskLevel);
    counts[at] = (counts[at] ?? 0) + count;
    decisions += count;
    from = Math.min(from ?? processedAt, processedAt);
    return true;
  }

  return { add, table: (): ReplayTable => ({ profiles, counts, decisions, isLimited, from }) };
}

interface Shape {
  readonly id: number;
  readonly examination: Examination | null;
}

/** Examinations with the same score are stored only once. */
function shapeOf(known: Map<string, Shape>, examination: Examination | null): Shape {
  const key = examination ? keyOf(examination) : '';
  const same = known.get(key);
  if (same) return same;
  const shape = { id: known.size, examination: examination && scoredPartOf(examination) };
  known.set(key, shape);
  return shape;
}

function keyOf({ classification, base, findings }: Examination): string {
  let key = `${classification} ${base ?? ''}`;
  for (const { code, strength, decisive, shared } of findings) {
    key += `|${code} ${strength ?? ''}${decisive ? 'd' : ''}${shared ? 's' : ''}`;
  }
  return key;
}

/** Leaves out the evidence: it does not change the score, and it may name a person. */
function scoredPartOf({ classification, base, findings }: Examination): Examination {
  return {
    classification,
    ...(base !== undefined && { base }),
    evidence: null,
    findings: findings.map(({ code, strength, decisive, shared }) => ({
      code,
      evidence: null,
      ...(strength !== undefined && { strength }),
      ...(decisive && { decisive }),
      ...(shared && { shared }),
    })),
    incomplete: null,
  };
}

function withoutEvidence({ verdict, code }: ListVerdict): ListVerdict {
  return { verdict, code, evidence: '' };
}

function doubled(counts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}
