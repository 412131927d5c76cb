import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Judge, Judgement } from '../../src/assessment/judge.ts';
import type { ScoringConfig } from '../../src/config/config.ts';
import { createMemoryCounters, type MemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CurrentDatasets } from '../../src/datasets/datasets.ts';
import type { BoundedResolver } from '../../src/processors/dns/bounded-resolver.ts';
import { createCohortLearner, type LearnCohort } from '../../src/processors/velocity/rebuild-cohorts.ts';
import type { PastAttempt } from '../../src/processors/velocity/rebuild-velocity.ts';
import { CAMPAIGN_SHAPES, type CampaignShape, campaignOf } from './campaign-shapes.ts';
import type { Measurement, Target } from './measurement.ts';
import { DAY_MS, peopleAt, SITE_KINDS, type SimulatedSignup, type SiteKind } from './signup-sites.ts';
import { createSimulatedAttempts, type ToAttempt } from './simulated-attempts.ts';
import { createSimulatedMail, type SimulatedMail } from './simulated-mail.ts';
import { createSimulatedVerification } from './simulated-verification.ts';

export interface CohortEvaluation {
  readonly datasets: CurrentDatasets;
  readonly scoring: ScoringConfig;
  readonly openJudge: (counters: MemoryCounters, scoring: ScoringConfig, resolver?: BoundedResolver) => Judge;
}

const SEEDS = [1, 2, 3, 4, 5];
const FIRST_DAY = Date.UTC(2026, 9, 1);
const PAST_DAYS = 10;
const TODAY = FIRST_DAY + PAST_DAYS * DAY_MS;
const IN_THE_AFTERNOON = 14.3 * 3_600_000;
/** Fewer may be a family. */
const UNNOTICED = 10;
/** Another random sequence than that of the past. */
const LATER = 100;
const WANTED: Target = { bound: 'at_least', share: 0.9 };
const HARMLESS: Target = { bound: 'at_most', share: 0.01 };
/** The campaigns that no fixed limit sees. */
const TARGETED = /^(base-36 of|three letters, three digits$|new domains behind|one signup every)/;

/** Younger, and mostly at two providers. */
const CROWD = {
  nicknames: 0.45,
  companies: 0.02,
  providers: ['gmail.com', 'gmail.com', 'gmail.com', 'icloud.com', 'gmx.de'],
};
const DAYS = [
  { name: 'ten ordinary days', times: 1, days: 10 },
  { name: 'a day of fame, 40 times the usual', times: 40, days: 1 },
  { name: 'a day of fame, another crowd', times: 40, days: 1, crowd: CROWD },
];

/** Campaigns and people at four kinds of site, each with a past of ten days, with and without the comparison of styles. */
export async function measureCohorts(evaluation: CohortEvaluation): Promise<readonly Measurement[]> {
  const { datasets, scoring } = evaluation;
  const toAttempt = createSimulatedAttempts(datasets.current);
  const unwatched = { ...scoring.velocity, cohort: { ...scoring.velocity.cohort, signups: null } };
  const before = openBench(evaluation, { ...scoring, velocity: unwatched }, toAttempt);
  const after = openBench(evaluation, scoring, toAttempt);
  const rows: Measurement[] = [];
  for (const shape of CAMPAIGN_SHAPES) rows.push(await measureCampaign(shape, before, 'fixed limits alone'));
  for (const shape of CAMPAIGN_SHAPES) rows.push(await measureCampaign(shape, after, 'and styles'));
  for (const site of SITE_KINDS) {
    for (const { name, ...traffic } of DAYS) {
      const tally = newTally();
      for (const seed of SEEDS) {
        const judged = await after(
          site,
          seed,
          peopleAt(site, { ...traffic, from: TODAY, seed: seed + LATER }),
          true,
        );
        for (const judgement of judged) count(tally, judgement, judgement.riskLevel !== 'low');
      }
      rows.push(toRow(`people, ${site.name}: ${name}`, 'verification', tally, HARMLESS));
    }
  }
  return rows;
}

/** Teaches a site's past and judges signups after it, in a scope of their own. */
type Bench = (
  site: SiteKind,
  seed: number,
  signups: readonly SimulatedSignup[],
  /** Whether people who have to verify do so. */
  doVerify?: boolean,
) => Promise<readonly Judgement[]>;

function openBench(
  { datasets, openJudge }: CohortEvaluation,
  scoring: ScoringConfig,
  toAttempt: ToAttempt,
): Bench {
  const counters = createMemoryCounters();
  const learn: LearnCohort = createCohortLearner({
    cohorts: counters.cohorts,
    datasets,
    limits: scoring.velocity,
  });
  const mail = createSimulatedMail();
  const judge = openJudge(counters, { ...scoring, dns: { ...scoring.dns, enabled: true } }, mail.resolver);
  const pasts = new Map<string, readonly Attempt[]>();
  let runs = 0;

  function pastOf(site: SiteKind, seed: number): readonly Attempt[] {
    const key = `${site.name} ${seed}`;
    const known = pasts.get(key);
    if (known) return known;
    const people = peopleAt(site, { from: FIRST_DAY, days: PAST_DAYS, times: 1, seed });
    const past = people.map((signup) => toAttempt(signup, key));
    pasts.set(key, past);
    return past;
  }

  return async (site, seed, signups, doVerify = false) => {
    runs++;
    const scope = `run ${runs}`;
    for (const attempt of pastOf(site, seed)) learn(storedAttempt(attempt, scope, mail));
    const judgements: Judgement[] = [];
    const verification = createSimulatedVerification(counters, datasets.current.email);
    for (const signup of signups) {
      verification.advance(signup.at);
      const attempt = toAttempt(signup, scope);
      if (signup.mailServer) mail.set(attempt.identity.domain ?? '', signup.mailServer);
      const judgement = await judge.judge(attempt);
      judgements.push(judgement);
      if (doVerify && judgement.riskLevel === 'medium') verification.verifyLater(attempt);
    }
    return judgements;
  };
}

/** As it is read from storage at a start. */
function storedAttempt({ receivedAt, identity }: Attempt, scope: string, mail: SimulatedMail): PastAttempt {
  const mailServer = identity.domain === null ? undefined : mail.serverOf(identity.domain);
  return { processedAt: receivedAt, scope, identity: { ...identity, mailServer }, isRefused: false };
}

/** The campaign comes among the people of the day; its signups after the first ten are the population. */
async function measureCampaign(shape: CampaignShape, bench: Bench, by: string): Promise<Measurement> {
  const tally = newTally();
  for (const site of SITE_KINDS) {
    for (const seed of SEEDS) {
      const from = shape.overMs >= DAY_MS ? TODAY : TODAY + IN_THE_AFTERNOON;
      const campaign = new Set(campaignOf(shape, from, seed));
      const people = peopleAt(site, { from: TODAY, days: 1, times: 1, seed: seed + LATER });
      const day = [...campaign, ...people].sort((a, b) => a.at - b.at);
      const judged = await bench(site, seed, day);
      const sent = judged.filter((_, i) => campaign.has(day[i] as SimulatedSignup));
      for (const judgement of sent.slice(UNNOTICED)) count(tally, judgement, judgement.riskLevel !== 'low');
    }
  }
  const isTargeted = TARGETED.test(shape.name) && by === 'and styles';
  return toRow(`campaign, ${by}: ${shape.name}`, 'medium or high', tally, isTargeted ? WANTED : null);
}

interface Tally {
  population: number;
  hits: number;
  medium: number;
  high: number;
  readonly reasons: Record<string, number>;
}

function newTally(): Tally {
  return { population: 0, hits: 0, medium: 0, high: 0, reasons: {} };
}

function count(tally: Tally, { riskLevel, factors }: Judgement, isHit: boolean): void {
  tally.population++;
  if (riskLevel === 'medium') tally.medium++;
  if (riskLevel === 'high') tally.high++;
  if (!isHit) return;
  tally.hits++;
  for (const { reason } of factors.filter((factor) => factor.riskLevel !== 'low')) {
    tally.reasons[reason.code] = (tally.reasons[reason.code] ?? 0) + 1;
  }
}

function toRow(set: string, counted: string, tally: Tally, target: Target | null): Measurement {
  const { population, hits, medium, high, reasons } = tally;
  const whole = { medium: medium / Math.max(1, population), high: high / Math.max(1, population) };
  return { set, counted, population, hits, target, whole, reasons, apart: [], wrong: [] };
}
