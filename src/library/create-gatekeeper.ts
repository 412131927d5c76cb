import { type BackgroundJobs, startBackgroundJobs } from '../background-jobs.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { keepPolicy } from '../decisions/keep-policy.ts';
import { openJudgingParts } from '../judging-parts.ts';
import { KNOWN_NAMES } from '../known-names.ts';
import { createOpened, type Opened } from '../opened.ts';
import { findMissingSecrets } from '../secrets/configured-secrets.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type LineWriter, openLineWriter } from '../telemetry/line-writer.ts';
import { createLogger } from '../telemetry/logger.ts';
import { openSite } from '../web/site.ts';
import type { Gatekeeper, SignupFacts } from './gatekeeper.ts';
import { type JudgingResources, keepResources } from './judging-resources.ts';
import { createRunningWork } from './running-work.ts';
import { createScore } from './score.ts';

export type { Reason, SignupDecision, SignupScore } from './signup-score.ts';
export type { Gatekeeper, SignupFacts };

export interface GatekeeperOptions {
  /**
   * The path of a `gatekeeper.yaml`, or its content as an object. Left out: the defaults, with SQLite in `./data`. The
   * parts `api`, `proxy`, `dashboard`, `telemetry` and `workers` have no effect here.
   */
  readonly config?: string | object | undefined;
}

/** All gatekeepers of a process write their lines to the same output. */
let output: LineWriter | null = null;

/**
 * Opens the judge in this process: storage, counters and data sets, as `gatekeeper serve` does, without a listener.
 * @throws ConfigError that names all issues.
 * @throws StorageError and others that name the file and the remedy. All opened parts are closed before an error is
 * thrown.
 */
export async function createGatekeeper(options: GatekeeperOptions = {}): Promise<Gatekeeper> {
  const { config, warnings } = load(options);
  const missing = findMissingSecrets({ ...config, proxy: null });
  if (missing.length > 0) throw new StorageError(missing.join('\n'));
  const log = createLogger({
    ...config.log,
    isTerminal: process.stdout.isTTY === true,
    write(line) {
      output ??= openLineWriter();
      output.write(line);
    },
  });
  for (const warning of warnings) log.warn({ warning }, 'the configuration has a weakness');
  const opened = createOpened();
  try {
    return toGatekeeper(await openResources(config, log, opened), opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function load({ config }: GatekeeperOptions) {
  const isPath = typeof config === 'string';
  if (
    config !== undefined &&
    !isPath &&
    (typeof config !== 'object' || config === null || Array.isArray(config))
  )
    throw new TypeError('createGatekeeper: config must be the path of a YAML file, or an object');
  return loadConfig({
    file: isPath ? config : null,
    ...(typeof config === 'object' && { text: JSON.stringify(config, null, 2) }),
    env: process.env,
    knownNames: KNOWN_NAMES,
  });
}

async function openResources(
  config: Config,
  log: JudgingResources['log'],
  { keep }: Opened,
): Promise<JudgingResources> {
  const clock = Date.now;
  let jobs: BackgroundJobs | null = null;
  const parts = await openJudgingParts({
    config,
    currentConfig: () => config,
    clock,
    log,
    keep,
    // The app has its own.
    traces: null,
    fetchesFeeds: () => jobs?.fetchesFeeds() ?? false,
  });
  const { records, datasets, metrics } = parts;
  const judge = parts.configuredJudge.judgeFor(config);
  // The app sends the header fields of CORS itself.
  const pages = {
    site: await openSite(config.site),
    publicUrl: config.proxy?.public_url ?? null,
    origins: [],
  };
  await keepPolicy(records, judge, clock);
  jobs = await startBackgroundJobs({ records, config: () => config, metrics, clock, log, keep });
  datasets.startRefreshing();
  return { ...parts, config, judge, pages, running: createRunningWork(), clock, log };
}

function toGatekeeper(resources: JudgingResources, opened: Opened): Gatekeeper {
  const { config, records, running } = resources;
  const score = createScore(resources);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    const endAt = performance.now() + config.server.drain_timeout;
    await running.end(config.server.drain_timeout);
    await opened.close(Math.max(0, endAt - performance.now()));
  }

  const gatekeeper: Gatekeeper = {
    score: (signup) => running.run(() => score(signup)),
    feedback: (requestId, label) =>
      running.run(async () => {
        if (label !== 'legitimate' && label !== 'fraud')
          throw new TypeError('feedback: the label must be "legitimate" or "fraud"');
        return await records.decisions.ofGate.label(String(requestId), label);
      }),
    close() {
      closing ??= close();
      return closing;
    },
  };
  keepResources(gatekeeper, resources);
  return gatekeeper;
}
