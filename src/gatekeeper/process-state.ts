import type { Readiness } from '../api/exchange.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { configurationRevision } from '../config/configuration-revision.ts';
import type { ConfigurationStatus } from '../config/reload.ts';
import { isOld } from '../datasets/feed-age.ts';
import type { OpenGate } from '../gate/open-gate.ts';
import type { JudgingParts } from '../judging-parts.ts';
import type { NodeReporter } from '../storage/fleet/node-reporter.ts';
import type { RecordsWatch } from '../storage/records-watch.ts';
import { isFailing, type ServiceOutcomes } from '../telemetry/service-outcomes.ts';
import { VERSION } from '../version.ts';

export interface ProcessStateDependencies
  extends Pick<JudgingParts, 'datasets' | 'counters' | 'changes' | 'dnsOutcomes'> {
  readonly recordsWatch: RecordsWatch;
  readonly clock: Clock;
  /** Null without a mail server. */
  readonly mailOutcomes: () => ServiceOutcomes | null;
  /** Returns the parts that change while the process runs. */
  readonly now: () => {
    readonly config: Config;
    readonly configuration: ConfigurationStatus;
    /** Null without a gate. */
    readonly gate: Pick<
      OpenGate,
      'seesUntrustedForwarding' | 'unjudgedSignups' | 'missingEmails' | 'certificateExpiresAt'
    > | null;
    /** Null with SQLite, and while the process starts. */
    readonly nodeReporter: NodeReporter | null;
    readonly isDraining: boolean;
  };
}

/** API keys work for this long without the records. A failover of the database takes less time. */
const API_READY_WITHOUT_RECORDS_MS = 60_000;

/** The state of this process, for probes, the dashboard, the metrics and the other nodes. */
export function createProcessState(parts: ProcessStateDependencies) {
  const { datasets, counters, changes, recordsWatch, clock, now } = parts;

  /** Null when no rule uses the DNS. */
  const dnsOutcomes = (): ServiceOutcomes | null => {
    const { dns, dnsbl } = now().config.scoring;
    return dns.enabled || dnsbl.length > 0 ? parts.dnsOutcomes() : null;
  };
  const fails = (outcomes: ServiceOutcomes | null) => outcomes !== null && isFailing(outcomes);

  return {
    readiness(): Readiness {
      const { configuration, gate, nodeReporter, isDraining } = now();
      if (isDraining) return { ready: false, draining: true, because: 'The server is shutting down.' };
      const recordsAwaySince = recordsWatch.awaySince();
      // A gate still judges without the records, so it stays ready. An API node does not, since another node may reach
      // its records.
      if (!gate && recordsAwaySince !== null && clock() - recordsAwaySince >= API_READY_WITHOUT_RECORDS_MS)
        return { ready: false, draining: false, because: 'The records do not answer.' };
      return {
        ready: true,
        countersLocalSince: counters.localSince(),
        recordsAwaySince,
        isNotified: changes?.isNotified() ?? null,
        nodeIssues: (nodeReporter?.issues() ?? []).map(({ kind }) => kind),
        configuration,
        oldFeeds: datasets.current.info.filter((set) => isOld(set, clock())).map(({ name }) => name),
      };
    },
    status() {
      const { configuration, gate } = now();
      const { revision, info } = datasets.current;
      return {
        certificateExpiresAt: gate?.certificateExpiresAt() ?? null,
        seesUntrustedForwarding: gate?.seesUntrustedForwarding() ?? false,
        unjudgedSignups: gate?.unjudgedSignups() ?? [],
        missingEmails: gate?.missingEmails() ?? [],
        countersLocalSince: counters.localSince(),
        datasets: info,
        dataRevision: revision,
        configuration,
        dns: dnsOutcomes(),
        mail: parts.mailOutcomes(),
      };
    },
    describeNode() {
      const { config, configuration } = now();
      return {
        version: VERSION,
        configuration: configurationRevision(config),
        data: datasets.current.revision,
        degraded: [
          ...(counters.localSince() === null ? [] : ['counters']),
          ...(configuration.refused ? ['configuration'] : []),
          ...(configuration.waiting.length > 0 ? ['restart'] : []),
          ...(fails(dnsOutcomes()) ? ['dns'] : []),
          ...(fails(parts.mailOutcomes()) ? ['mail'] : []),
        ],
      };
    },
  };
}
