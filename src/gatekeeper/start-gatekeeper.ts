import { setTimeout as delay } from 'node:timers/promises';
import { createConfiguredKeys } from '../accounts/configured-keys.ts';
import { specialRange } from '../addresses/ip-address.ts';
import { createApi } from '../api/api-app.ts';
import { apiSettings } from '../api/api-settings.ts';
import { type BackgroundJobs, startBackgroundJobs } from '../background-jobs.ts';
import { type ConfigurationStatus, planReload } from '../config/reload.ts';
import { keepPolicy } from '../decisions/keep-policy.ts';
import { openLagMonitor } from '../http/event-loop.ts';
import { listenerUrl } from '../http/listener.ts';
import { openJudgingParts } from '../judging-parts.ts';
import { type Opened, openWhole } from '../opened.ts';
import { startWithStorage } from '../storage/await-storage.ts';
import { type NodeReporter, openNodeReporter } from '../storage/fleet/node-reporter.ts';
import { watchSite } from '../storage/incidents/watch-site.ts';
import { openRecordsWatch } from '../storage/records-watch.ts';
import type { ProcessExposition } from '../telemetry/exposition.ts';
import { openVerification } from '../verification/open-verification.ts';
import { openSite } from '../web/site.ts';
import type { GatekeeperOptions, GatekeeperProcess } from './gatekeeper.ts';
import { apiSenders, openApiDoor } from './open-api-door.ts';
import { openExposition } from './open-exposition.ts';
import { withinOpenFiles } from './open-file-limit.ts';
import { type GateDoor, keepAssertionSecretOf, openGateDoor } from './open-gate-door.ts';
import { createProcessState } from './process-state.ts';

/**
 * @throws StorageError, DatasetsError and others, each with a message that names the file and the remedy. A system
 * error when an address cannot be bound. All open parts are closed first.
 */
export function startGatekeeper(options: GatekeeperOptions): Promise<GatekeeperProcess> {
  return startWithStorage(() => openWhole((opened) => openGatekeeper(options, opened)), options);
}

async function openGatekeeper(
  { config, log, clock: ownClock, makeFirstKey, stop, worker }: GatekeeperOptions,
  opened: Opened,
): Promise<GatekeeperProcess> {
  stop?.throwIfAborted();
  const { keep, keepDoor } = opened;
  let jobs: BackgroundJobs | null = null;
  // These parts are opened after the doors, and the doors read them.
  let gate: GateDoor | null = null;
  let nodeReporter: NodeReporter | null = null;
  let current = config;
  const parts = await openJudgingParts({
    config,
    currentConfig: () => current,
    clock: ownClock,
    log,
    stop,
    keep,
    traces: config.telemetry.traces,
    fetchesFeeds: () => jobs?.fetchesFeeds() ?? false,
    nodesAlive: () => nodeReporter?.measure()?.alive ?? config.workers,
    ...(worker && { worker: { secrets: worker.secrets, storage: worker.storage } }),
  });
  const { records, secrets, datasets, metrics, tracer, counters, recorder, pseudonymize, lists } = parts;
  const { decisionLog, configuredJudge, clock } = parts;
  const recordsWatch = keep(openRecordsWatch({ records, clock, log }));
  const configuredKeys = createConfiguredKeys(records);

  const site = await openSite(config.site);
  let settings = apiSettings(config, configuredJudge.judgeFor(config));
  await keepPolicy(records, settings.judge, clock);
  (await configuredKeys.prepare(config.api.keys))();
  let configuration: ConfigurationStatus = worker?.configuration ?? { waiting: [], refused: null };
  let isDraining = false;
  const state = createProcessState({
    ...parts,
    recordsWatch,
    mailOutcomes: () => verification.mailOutcomes(),
    now: () => ({ config: current, configuration, gate, nodeReporter, isDraining }),
  });
  const lag = keep(openLagMonitor({ maxLagMs: config.server.max_lag }));
  const api = createApi({
    settings: () => settings,
    records: { ...records, apiKeys: configuredKeys.apiKeys },
    recorder,
    counters,
    pseudonymize,
    limits: config.server,
    lag,
    senderOf: apiSenders(() => gate),
    readiness: state.readiness,
    metrics: metrics.api,
    tracer,
    clock,
    log,
  });
  const verification = keep(
    openVerification({
      config,
      site,
      heldSignups: records.heldSignups,
      holdSecret: secrets.holdKey,
      pseudonymize,
      expiryTime: records.now,
      countryOf: (ip) => (specialRange(ip) ? null : datasets.current.network.locate(ip).country),
      gateUrl: () => gate?.ownUrl ?? null,
      tracer,
      clock,
      log,
      metrics: metrics.verification,
    }),
  );
  stop?.throwIfAborted();
  const bounded = withinOpenFiles(config, log);
  gate =
    bounded.proxy &&
    keepDoor(
      await openGateDoor({
        config: bounded,
        proxy: bounded.proxy,
        parts,
        judge: settings.judge,
        site,
        api,
        verification,
        lag,
        log,
        worker,
      }),
    );
  const listener = gate?.servesApi
    ? null
    : keepDoor(
        await openApiDoor({ config: bounded, handler: api.handler, accept: worker?.acceptAt('api'), log }),
      );
  const apiUrl = listener ? listenerUrl(listener.address) : (gate?.url ?? '');
  let own: Promise<ProcessExposition> | null = null;
  const exposition = () => {
    own ??= openExposition({
      parts,
      lagMs: lag.lagMs,
      recordsWatch,
      clock,
      status: state.status,
      jobs: () => jobs,
      nodeReporter: () => nodeReporter,
    });
    return own;
  };
  // Imported late, when the doors are already open: this import loads a quarter of all modules.
  const [{ openDashboard }, { takeFirstSteps }] = await Promise.all([
    import('../dashboard/open-dashboard.ts'),
    import('../accounts/first-steps.ts'),
  ]);
  const dashboard = keepDoor(
    await openDashboard({
      openedWith: bounded,
      config: () => current,
      records,
      recorder,
      mailer: verification.mailer,
      mailbox: verification.mailbox,
      lists,
      counters,
      review: gate ? verification.review({ records, replay: gate.replayReviewed }) : null,
      pseudonymize,
      judge: () => settings.judge,
      secret: secrets.dashboardSecret,
      apiUrl,
      clock,
      log,
      secondFactorKey: secrets.secondFactorKey,
      status: state.status,
      exposition: async () => worker?.exposition ?? exposition(),
      simulateFile: async (...file) => (await import('../signup-file/file-thread.ts')).simulateFile(...file),
      accept: worker?.acceptAt('dashboard'),
    }),
  );
  stop?.throwIfAborted();
  const firstSteps = worker
    ? null
    : await takeFirstSteps(records, { dashboardUrl: dashboard.url, makesFirstKey: makeFirstKey });
  nodeReporter =
    records.fleet &&
    keep(
      openNodeReporter({
        store: records.fleet.nodes,
        clockSkewMs: parts.clockSkewMs,
        log,
        describe: state.describeNode,
      }),
    );
  if (!worker)
    jobs = await startBackgroundJobs({ records, config: () => current, metrics, clock, log, keep });
  keep(watchSite({ incidents: records.incidents, state: state.status, clock, log }));
  datasets.startRefreshing();

  const prepare: GatekeeperProcess['prepare'] = async (changed, waitingElsewhere) => {
    const { config: next, waiting: waitingHere } = planReload(current, changed);
    const waiting = waitingElsewhere ?? waitingHere;
    const judge = configuredJudge.judgeFor(next);
    const nextSite = await openSite(next.site);
    // The steps that can fail come first; the records are the last of these.
    const [replaceDatasets, replaceGate] = await Promise.all([
      datasets.prepare(next.datasets),
      gate?.prepare(next, judge, nextSite),
      gate && keepAssertionSecretOf(next, secrets),
    ]);
    await keepPolicy(records, judge, clock);
    const replaceKeys = await configuredKeys.prepare(next.api.keys);
    // Then all parts change in one tick, so every request sees either the old parts or the new ones.
    return () => {
      replaceDatasets();
      replaceGate?.();
      replaceKeys();
      counters.configure(next.scoring.velocity);
      verification.configure(next, nextSite);
      log.configure(next.log);
      settings = apiSettings(next, judge);
      current = next;
      configuration = { waiting, refused: null };
      return waiting;
    };
  };

  return {
    apiUrl,
    gate,
    dashboardUrl: dashboard.url,
    isDashboardOpen: dashboard.isOpen,
    setUpLink: firstSteps?.setUpLink ?? null,
    earlierLinkValidUntil: firstSteps?.earlierLinkValidUntil ?? null,
    firstKey: firstSteps?.firstKey ?? null,
    hasKeys: config.api.keys.length > 0 || firstSteps?.hasStoredKeys === true,
    configure: async (changed) => (await prepare(changed))(),
    prepare,
    measure: async () => (await exposition()).snapshot(),
    refuseConfiguration(because) {
      const since = configuration.refused?.since ?? clock();
      configuration = { ...configuration, refused: { since, because } };
    },
    reopenLogs: () => decisionLog?.reopen(),
    drain() {
      isDraining = true;
    },
    async stop() {
      isDraining = true;
      if (config.server.stop_delay !== null) await delay(config.server.stop_delay);
      await opened.close(config.server.drain_timeout);
    },
  };
}
