import { once } from 'node:events';
import { resolve } from 'node:path';
import { parsePort } from '../config/listen-address.ts';
import type { LoadedConfig } from '../config/load.ts';
import { findUnsupported } from '../config/unsupported.ts';
import { type ConfigWatch, watchConfig } from '../config/watch.ts';
import { tuneGarbageCollection } from '../gatekeeper/garbage-collection.ts';
import type { Gatekeeper, GatekeeperOptions } from '../gatekeeper/gatekeeper.ts';
import { startGatekeeper } from '../gatekeeper/start-gatekeeper.ts';
import { ListenError } from '../http/listen-error.ts';
import { findMissingSecrets } from '../secrets/configured-secrets.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { explainListenError } from './explain-listen-error.ts';
import { greet } from './greet.ts';
import { findConfigFile, loadFrom, reloadFrom } from './load-config.ts';
import { ownCommand } from './own-command.ts';
import { type ProcessSignals, StopRequest } from './signals.ts';

export interface ServeArguments extends WithConfig {
  readonly port?: number;
  readonly upstream?: string;
}

export interface ServeOptions extends ServeArguments {
  readonly signals: ProcessSignals;
}

/** `gatekeeper serve`: runs until a signal ends it. */
export async function serve(
  { config: named, port, upstream, signals }: ServeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stop } = signals;
  tuneGarbageCollection();
  const file = named ?? findConfigFile(context.cwd);
  const { PORT = '' } = context.env;
  const defaultPort = parsePort(PORT);
  if (PORT !== '' && defaultPort === null) {
    context.writeError(`PORT is "${PORT}": write a port from 0 to 65535, or unset it\n`);
    return 1;
  }
  const overrides = { port: port ?? null, defaultPort, upstream: upstream ?? null };
  const loaded = loadFrom(context, overrides)(file);
  const refused = [...findUnsupported(loaded.config), ...findMissingSecrets(loaded.config)];
  if (refused.length > 0) {
    context.writeError(`${refused.join('\n')}\n`);
    return 1;
  }
  const log = createLogger({ ...loaded.config.log, isTerminal: context.isTerminal });
  for (const warning of loaded.warnings) log.warn({ warning }, 'the configuration has a weakness');
  const started = await startUnlessStopped({
    config: loaded.config,
    log,
    clock: Date.now,
    makeFirstKey: file === null,
    stop,
  });
  if (started === null) return 0;
  const { gatekeeper, givenUp } = started;
  const command = ownCommand(context.env, process.argv[1]);
  greet({ gatekeeper, config: loaded.config, file: named ?? null, command, write: context.write });
  const watch =
    file === null
      ? null
      : watchFile(resolve(context.cwd, file), {
          load: reloadFrom(context, overrides),
          loaded,
          gatekeeper,
          log,
        });
  signals.onHangUp(() => {
    gatekeeper.reopenLogs();
    if (watch) void watch.reload();
    else log.info({}, 'SIGHUP is ignored: no configuration file to reload');
  });
  try {
    if (!stop.aborted) await Promise.race([once(stop, 'abort'), givenUp]);
  } catch (error) {
    await watch?.close();
    await gatekeeper.stop();
    throw error;
  }
  log.info(
    { signal: signalOf(stop) },
    'stopping: running requests are finished first; a second signal stops at once',
  );
  ignoreHangUps(signals, log);
  await watch?.close();
  await gatekeeper.stop();
  log.info({}, 'stopped');
  // All parts are closed here. Connections that libraries left open would keep the process alive, for example to a mail
  // server that does not answer.
  process.exit(0);
}

interface Started {
  readonly gatekeeper: Gatekeeper;
  /** Rejects when the processes of the server end again and again. */
  readonly givenUp: Promise<never>;
}

const NEVER = new Promise<never>(() => {});

/**
 * Starts the server. Null when a signal arrived before the start was complete. All opened parts are then closed again.
 */
async function startUnlessStopped(
  options: GatekeeperOptions & { readonly stop: AbortSignal },
): Promise<Started | null> {
  try {
    if (options.config.workers === 1) return { gatekeeper: await startGatekeeper(options), givenUp: NEVER };
    const { startWorkers } = await import('../workers/start-workers.ts');
    const workers = await startWorkers(options);
    return { gatekeeper: workers, givenUp: workers.givenUp };
  } catch (error) {
    const { stop, log, config } = options;
    if (error instanceof ListenError) throw new Error(explainListenError(error, config), { cause: error });
    if (!stop.aborted || error !== stop.reason) throw error;
    log.info({ signal: signalOf(stop) }, 'stopped before the start was complete');
    return null;
  }
}

function signalOf({ reason }: AbortSignal): NodeJS.Signals | null {
  return reason instanceof StopRequest ? reason.signal : null;
}

/** Ignores SIGHUP. Only the first signal is logged. */
function ignoreHangUps(signals: ProcessSignals, log: Logger): void {
  let isSaid = false;
  signals.onHangUp(() => {
    if (!isSaid) log.info({}, 'SIGHUP is ignored: the process is stopping');
    isSaid = true;
  });
}

interface Watched {
  readonly load: ReturnType<typeof reloadFrom>;
  readonly loaded: LoadedConfig;
  readonly gatekeeper: Gatekeeper;
  readonly log: Logger;
}

function watchFile(file: string, { load, loaded, gatekeeper, log }: Watched): ConfigWatch {
  return watchConfig({
    file,
    text: loaded.text ?? '',
    load: (text) => load(file, text),
    onChange: async ({ config, warnings }) => {
      const refused = [...findUnsupported(config), ...findMissingSecrets(config)];
      if (refused.length > 0) throw new Error(refused.join('\n'));
      const waiting = await gatekeeper.configure(config);
      log.info({}, 'the changed configuration is active');
      for (const warning of warnings) log.warn({ warning }, 'the configuration has a weakness');
      if (waiting.length > 0) log.warn({ keys: waiting }, 'these changes need a restart');
    },
    onIssue: (error) => {
      gatekeeper.refuseConfiguration(error instanceof Error ? error.message : String(error));
      log.error({ err: error }, 'the changed configuration is invalid; the old configuration stays active');
    },
  });
}
