import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createJudge, type Judge } from './assessment/judge.ts';
import { type ListEntry, parseListEntry } from './assessment/list-entry.ts';
import { type ChangingLists, compileLists } from './assessment/lists.ts';
import type { Policy } from './assessment/policy.ts';
import { isReasonCode } from './assessment/reasons.ts';
import type { Config, ScoringConfig } from './config/config.ts';
import type { Counters } from './counters/counters.ts';
import type { CurrentDatasets } from './datasets/datasets.ts';
import { createDeviceProcessor } from './processors/device/device-processor.ts';
import { type BoundedResolver, createBoundedResolver } from './processors/dns/bounded-resolver.ts';
import { createMailServers } from './processors/dns/mail-servers.ts';
import { loadEmailModels } from './processors/email/email-models.ts';
import { createEmailProcessor } from './processors/email/email-processor.ts';
import { createNetworkProcessor } from './processors/network/network-processor.ts';
import { createVelocityProcessor } from './processors/velocity/velocity-processor.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { OutcomeRecorder } from './telemetry/service-outcomes.ts';
import type { Tracer } from './telemetry/tracer.ts';
import { traceJudge, traceProcessor } from './traced-judge.ts';

/** The resources of a judge that stay when the configuration changes. */
export interface JudgeResources {
  readonly datasets: CurrentDatasets;
  readonly counters: Counters;
  /** Entries that users add at run time, in addition to the entries of the configuration. */
  readonly lists?: ChangingLists;
  /** Domains that many users of this site have. Left out when such domains are not known. */
  readonly usedDomains?: { has(domain: string): boolean };
  /** Answers that replace the configured DNS servers. A simulation uses them instead of DNS. */
  readonly resolver?: BoundedResolver;
  readonly log: Pick<Logger, 'warn'>;
  /** Counts failures, if a metrics endpoint exists. */
  readonly metrics?: Pick<Metrics, 'factorFailed'>;
  /** Records how the resolver answers. Left out when nothing shows it. */
  readonly dnsOutcomes?: OutcomeRecorder;
  /** Null without traces. */
  readonly tracer?: Tracer | null;
}

/** Builds the judge for a configuration. */
export interface ConfiguredJudge {
  judgeFor(config: Config): Judge;
  close(): void;
}

/** The folder of the trained weights: beside `src` in a checkout, and beside `dist` in the package. */
const MODELS_FOLDER = fileURLToPath(new URL('../models/', import.meta.url));

/** Loads the resources of every judge and keeps the DNS cache when the configuration changes. */
export function openConfiguredJudge(resources: JudgeResources): ConfiguredJudge {
  const { datasets, counters, log, metrics, lists: changing = null, usedDomains = null } = resources;
  const { tracer = null } = resources;
  const models = loadEmailModels(MODELS_FOLDER);
  const device = createDeviceProcessor({ datasets });
  let resolver: { readonly made: string; readonly resolver: BoundedResolver } | null = null;

  function resolverFor({ dns }: ScoringConfig): BoundedResolver {
    if (resources.resolver) return resources.resolver;
    const made = JSON.stringify(dns);
    if (resolver?.made !== made) {
      // The old resolver is not closed, because current requests still wait for its answers. Its last query ends by
      // itself.
      resolver = {
        made,
        resolver: createBoundedResolver({
          servers: dns.servers,
          timeoutMs: dns.timeout,
          now: () => performance.now(),
          ...(resources.dnsOutcomes && { outcomes: resources.dnsOutcomes }),
        }),
      };
    }
    return resolver.resolver;
  }

  return {
    judgeFor(config) {
      const { scoring, lists } = config;
      const mailServers = scoring.dns.enabled ? createMailServers() : null;
      const processors = [
        createEmailProcessor({
          datasets,
          models,
          usedDomains,
          mailServers,
          dns: scoring.dns.enabled
            ? {
                resolver: resolverFor(scoring),
                // Velocity Checks wait for it too: servers of a domain that stay silent must not end both factors.
                timeoutMs: Math.min(scoring.dns.timeout, scoring.deadline),
              }
            : null,
        }),
        createNetworkProcessor({
          datasets,
          dnsbl: scoring.dnsbl.length > 0 ? { zones: scoring.dnsbl, resolver: resolverFor(scoring) } : null,
        }),
        createVelocityProcessor({ counters, datasets, limits: scoring.velocity, mailServers }),
        device,
      ];
      const judge = createJudge({
        processors: tracer ? processors.map((each) => traceProcessor(each, tracer)) : processors,
        policy: policyOf(scoring),
        configuredRevision: policyRevisionOf(config),
        lists: compileLists(
          { allow: entriesOf(lists.allow), deny: entriesOf(lists.deny) },
          (ip) => datasets.current.network.locate(ip),
          changing,
        ),
        data: datasets,
        deadlineMs: scoring.deadline,
        now: performance.now.bind(performance),
        onFailure(factor, error) {
          metrics?.factorFailed(factor);
          log.warn({ factor, err: error }, 'a factor was not evaluated');
        },
      });
      return tracer ? traceJudge(judge, tracer) : judge;
    },
    close: () => resolver?.resolver.close(),
  };
}

export function policyOf(scoring: ScoringConfig): Policy {
  return {
    weights: scoring.weights,
    levels: scoring.levels,
    caps: scoring.caps,
    decisive: new Set(scoring.decisive.filter(isReasonCode)),
    points: scoring.points,
  };
}

/** Weights, levels, caps, lists and routes: every setting that changes the result of an attempt. */
function policyRevisionOf({ scoring, lists, proxy }: Config): string {
  return hash('sha256', JSON.stringify([scoring, lists, proxy?.routes ?? []])).slice(0, 12);
}

/** The configuration validated the entries, so each can be parsed. */
function entriesOf(texts: readonly string[]): readonly ListEntry[] {
  return texts.flatMap((text) => parseListEntry(text) ?? []);
}
