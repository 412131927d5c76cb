import type { Attempt, AttemptOutcome } from '../../assessment/attempt.ts';
import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Examination, Finding, Processor } from '../../assessment/processor.ts';
import type { FindingCode } from '../../assessment/reasons.ts';
import type { CohortResult, UsualDomain } from '../../counters/cohorts/cohort.ts';
import type { Counters, Observation, ObservedCounts, WindowCounts } from '../../counters/counters.ts';
import type { VerifiedPlaces } from '../../counters/verified-places.ts';
import type { CurrentDatasets, Datasets } from '../../datasets/datasets.ts';
import type { MailServers } from '../dns/mail-servers.ts';
import {
  type CountedDimension,
  DIMENSION_RULES,
  type DimensionRule,
  describeExcess,
  type Excess,
  observationsOf,
  seeCohort,
  worstExcess,
} from './attempt-counts.ts';
import { cohortFinding } from './cohort-finding.ts';
import { type LimitMultiplier, limitMultiplierFor } from './limit-multiplier.ts';
import { createSharedPatterns, type SharedPatterns } from './shared-patterns.ts';
import { describeUsual, isSpared } from './usual-domain.ts';
import type { VelocityLimits } from './velocity-limits.ts';
import { PLACE_OF, placeKey } from './verified-signup.ts';

export interface VelocityDependencies {
  /** Every examined attempt is recorded here, so `gatekeeper score` and the simulator pass their own counters. */
  readonly counters: Counters;
  readonly datasets: CurrentDatasets;
  readonly limits: VelocityLimits;
  /** The mail servers that the email processor looked up. Left out: no mail server is known. */
  readonly mailServers?: Pick<MailServers, 'of'> | null;
}

/** One dimension that is at least half full. */
interface Measure {
  readonly dimension: CountedDimension;
  readonly rule: DimensionRule;
  readonly excess: Excess;
  readonly multiplier: LimitMultiplier;
  /** The pattern that the mailboxes of a template have in common. Null when it is unknown, and in other dimensions. */
  readonly pattern: string | null;
}

/** From this share of a limit on, velocity is elevated. */
const ELEVATED = 0.5;
const BURST = 1;
/** From this multiple of a limit on, a burst that only the sender can cause is refused, even without other reasons. */
const DECISIVE = 3;
/** This is larger than any ratio, since counts end at 8,192. */
const OUTWEIGHS = 1e6;
const UNWIDENED = { factor: 1 };

/**
 * Velocity Checks: counts an attempt with similar attempts, and compares with the limits. `observationsOf` decides what
 * is counted, `limitMultiplierFor` which limits are wider. Answers without a promise when the counters do.
 */
export function createVelocityProcessor(dependencies: VelocityDependencies): Processor {
  const { counters, datasets, limits, mailServers = null } = dependencies;
  const patterns = createSharedPatterns();
  function examine(attempt: Attempt, outcome?: AttemptOutcome): Examination | Promise<Examination> {
    const state = datasets.current;
    const observations = observationsOf(
      { processedAt: attempt.receivedAt, scope: attempt.scope, identity: attempt.identity },
      state.email,
    );
    const now = attempt.receivedAt;
    const seen = seeCohort(attempt, state.email, { counters, limits, mailServers });
    const counts = counters.observe(observations, now);
    const conclude = (
      known: readonly ObservedCounts[],
      cohort: CohortResult | null,
      incomplete: string | null,
    ) => {
      outcome?.whenKnown((isRefused) => {
        counters.settle({ observations, counts: known, isRefused, now });
        if (isRefused && cohort) counters.cohorts.takeBack(attempt.scope, cohort.counted);
      });
      const measures = measure(attempt, {
        observations,
        counts: known,
        datasets: state,
        limits,
        patterns,
        places: counters.verified,
        usual: cohort?.usual ?? null,
      });
      return examinationOf(measures, cohort, incomplete);
    };
    if (!(counts instanceof Promise || seen instanceof Promise)) return conclude(counts, seen, null);
    return Promise.all([counts, seen]).then(([known, cohort]) =>
      conclude(known, cohort, incompleteOf(known)),
    );
  }

  return { factor: 'velocity', examine };
}

interface Counted {
  readonly observations: readonly Observation[];
  readonly counts: readonly WindowCounts[];
  readonly datasets: Datasets;
  readonly limits: VelocityLimits;
  readonly patterns: SharedPatterns;
  readonly places: VerifiedPlaces;
  readonly usual: UsualDomain | null;
}

interface Measured {
  readonly measures: readonly Measure[];
  /** What is usual for the domain, when it is over its limit and this is no finding. Null in all other cases. */
  readonly spared: string | null;
}

function measure(attempt: Attempt, counted: Counted): Measured {
  const { observations, counts, datasets, limits, patterns } = counted;
  const colleagues = counts[observations.findIndex(({ dimension }) => dimension === 'colleagues')];
  const measures: Measure[] = [];
  let spared: string | null = null;
  observations.forEach(({ dimension }, i) => {
    const count = counts[i];
    if (dimension === 'colleagues' || !count) return;
    const rule = DIMENSION_RULES[dimension];
    const plain = worstExcess(limits[rule.limits], count, UNWIDENED);
    if (!plain || plain.ratio < ELEVATED) return;
    const company = { count: plain.count, colleagues: colleagues?.[plain.window] ?? 0 };
    const grown = { verified: verifiedAt(dimension, attempt, counted), settings: limits.verified };
    const multiplier = limitMultiplierFor(dimension, attempt, { company, datasets, grown });
    const excess = worstExcess(limits[rule.limits], count, multiplier);
    if (!excess || excess.ratio < ELEVATED) return;
    if (dimension === 'domain' && isSpared(counted.usual, multiplier, limits.verified.step)) {
      spared = describeUsual(counted.usual, excess);
    } else {
      measures.push({
        dimension,
        rule,
        excess,
        multiplier,
        pattern: dimension === 'template' ? patterns.nameOf(attempt) : null,
      });
    }
  });
  return { measures, spared };
}

function verifiedAt(
  dimension: CountedDimension,
  { receivedAt }: Attempt,
  { observations, limits, places }: Counted,
): number {
  const place = PLACE_OF[dimension];
  const key = observations.find((observation) => observation.dimension === place)?.key;
  return place === undefined || key === undefined
    ? 0
    : places.countOf(placeKey(place, key), receivedAt, limits.verified.per_day);
}

/** When shared counters did not answer, the counts are those of this node. */
function incompleteOf(counts: readonly ObservedCounts[]): string | null {
  const local = counts.find(({ localBecause }) => localBecause !== undefined);
  return local ? `counters: ${local.localBecause}` : null;
}

function examinationOf(
  { measures, spared }: Measured,
  cohort: CohortResult | null,
  incomplete: string | null,
): Examination {
  const counted = countedFindings(measures);
  const findings = cohort?.surge ? [...counted, cohortFinding(cohort.surge)] : counted;
  return { classification: 'normal_velocity', evidence: spared, findings, incomplete };
}

function countedFindings(measures: readonly Measure[]): readonly Finding[] {
  const bursts = measures.filter(({ excess }) => excess.ratio >= BURST);
  if (bursts.length === 0) return elevatedFinding(measures);
  return [...burstFindings(bursts), ...ownElevatedFinding(measures, bursts)];
}

/** One finding for each code, for the measure that exceeds its limit most. */
function burstFindings(bursts: readonly Measure[]): readonly Finding[] {
  const byCode = new Map<FindingCode, Measure>();
  for (const burst of bursts) {
    const known = byCode.get(burst.rule.code);
    if (!known || weight(burst) > weight(known)) byCode.set(burst.rule.code, burst);
  }
  return [...byCode].map(([code, burst]) => ({
    code,
    evidence: evidenceOf(burst),
    fields: fieldsOf(burst),
    ...(isDecisive(burst) ? { decisive: true } : {}),
    ...(isShared(burst) ? { shared: true } : {}),
  }));
}

function elevatedFinding(measures: readonly Measure[]): readonly Finding[] {
  const [first, ...others] = measures;
  if (!first) return [];
  const fullest = others.reduce((a, b) => (b.excess.ratio > a.excess.ratio ? b : a), first);
  const shared = measures.every(isShared) ? { shared: true } : {};
  return [
    {
      code: 'elevated_velocity',
      evidence: evidenceOf(fullest),
      fields: fieldsOf(fullest),
      ...shared,
    },
  ];
}

/** Bursts that other people can cause do not replace the finding about the sender's own values. */
function ownElevatedFinding(measures: readonly Measure[], bursts: readonly Measure[]): readonly Finding[] {
  return bursts.every(isShared) ? elevatedFinding(measures.filter((measure) => !isShared(measure))) : [];
}

/** Whether other people can also cause the finding. */
function isShared({ rule, multiplier }: Measure): boolean {
  return !rule.isOwn || multiplier.isShared;
}

function isDecisive(burst: Measure): boolean {
  return !isShared(burst) && burst.excess.ratio >= DECISIVE;
}

/** Within one code, values that only the sender can cause have more weight than the others. */
function weight(burst: Measure): number {
  return isShared(burst) ? burst.excess.ratio : OUTWEIGHS + burst.excess.ratio;
}

function evidenceOf({ rule, excess, multiplier }: Measure): string {
  return describeExcess(rule, excess, multiplier);
}

function fieldsOf({ dimension, excess, multiplier, pattern }: Measure): EvidenceFields {
  const { count, limit, window, configured } = excess;
  const { why, verified } = multiplier;
  return {
    dimension,
    count,
    limit,
    window,
    ...(pattern !== null && { pattern }),
    ...(why !== null && { widened_for: why }),
    ...(verified > 0 && { verified, usual_limit: configured }),
  };
}
