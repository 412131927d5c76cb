import { once } from 'node:events';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load.ts';
import { findUnsupported } from '../config/unsupported.ts';
import { type ConfigWatch, watchConfig } from '../config/watch.ts';
import { curlExample } from '../dashboard/keys/curl-example.ts';
import { type Gatekeeper, type GatekeeperOptions, startGatekeeper } from '../gatekeeper.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { findConfigFile, loadFrom } from './load-config.ts';
import { type ProcessSignals, StopRequest } from './signals.ts';

export interface ServeOptions {
  /** `--config`; null: `gatekeeper.yaml` in the folder, if it exists. */
  readonly config: string | null;
  readonly signals: ProcessSignals;
}

/** `gatekeeper serve`: runs until a signal ends it. */
export async function serve(
  { config: named, signals }: ServeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stop } = signals;
  const file = named ?? findConfigFile(context.cwd);
  const load = loadFrom(context);
  const loaded = load(file);
  const unsupported = findUnsupported(loaded.config);
  if (unsupported.length > 0) {
    context.writeError(`${unsupported.join('\n')}\n`);
    return 1;
  }
  const log = createLogger(loaded.config.log);
  for (const warning of loaded.warnings) log.warn({ warning }, 'the configuration has a weakness');
  const gatekeeper = await startUnlessStopped({
    config: loaded.config,
    log,
    clock: Date.now,
    makeFirstKey: file === null,
    stop,
  });
  if (gatekeeper === null) return 0;
  greet(gatekeeper, context);
  const watch =
    file === null ? null : watchFile(resolve(context.cwd, file), { load, loaded, gatekeeper, log });
  signals.onHangUp(() => {
    if (watch) void watch.reload();
    else log.info({}, 'SIGHUP is ignored: no configuration file to reload');
  });
  if (!stop.aborted) await once(stop, 'abort');
  log.info(
    { signal: signalOf(stop) },
    'stopping: running requests are finished first; a second signal stops at once',
  );
  ignoreHangUps(signals, log);
  await watch?.close();
  await gatekeeper.stop();
  // Everything is closed. Connections that libraries left open, for example to a mail server that never answers, would
  // keep the process alive.
  process.exit(0);
}

/** Null when a signal arrived before the start was complete; then everything is closed again. */
async function startUnlessStopped(
  options: GatekeeperOptions & { readonly stop: AbortSignal },
): Promise<Gatekeeper | null> {
  try {
    return await startGatekeeper(options);
  } catch (error) {
    const { stop, log } = options;
    if (!stop.aborted || error !== stop.reason) throw error;
    log.info({ signal: signalOf(stop) }, 'stopped before the start was complete');
    return null;
  }
}

function signalOf({ reason }: AbortSignal): NodeJS.Signals | null {
  return reason instanceof StopRequest ? reason.signal : null;
}

/** Logged only for the first signal. */
function ignoreHangUps(signals: ProcessSignals, log: Logger): void {
  let isSaid = false;
  signals.onHangUp(() => {
    if (!isSaid) log.info({}, 'SIGHUP is ignored: the process is stopping');
    isSaid = true;
  });
}

interface Watched {
  readonly load: (file: string, text: string) => LoadedConfig;
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
      const unsupported = findUnsupported(config);
      if (unsupported.length > 0) throw new Error(unsupported.join('\n'));
      const waiting = await gatekeeper.configure(config);
      log.info({}, 'the changed configuration is active');
      for (const warning of warnings) log.warn({ warning }, 'the configuration has a weakness');
      if (waiting.length > 0) log.warn({ keys: waiting }, 'these changes need a restart');
    },
    onIssue: (error) =>
      log.error({ err: error }, 'the changed configuration is invalid; the old configuration stays active'),
  });
}

function greetGate(
  { url, assertionSecretFile }: NonNullable<Gatekeeper['gate']>,
  write: CommandContext['write'],
): void {
  write(`The gate listens on ${url}\n`);
  if (assertionSecretFile === null) return;
  write(
    'It signs forwarded signups with a generated secret. An app that checks the signature needs this secret:\n' +
      `  GATEKEEPER_ASSERTION_SECRET=$(cat ${assertionSecretFile})\n`,
  );
}

/** Prints the addresses and the first steps. A first key is shown only once. */
function greet(
  { apiUrl, gate, dashboardUrl, setUpLink, firstKey }: Gatekeeper,
  { write }: CommandContext,
): void {
  write(`Gatekeeper listens on ${apiUrl}\n`);
  if (gate) greetGate(gate, write);
  write(`The dashboard is at ${dashboardUrl}\n`);
  if (setUpLink !== null) {
    write(
      `No operator exists yet. Open this link to become the operator. Each start prints a new link:\n\n  ${setUpLink}\n\n`,
    );
  }
  if (firstKey === null) return;
  const command = curlExample(apiUrl, firstKey);
  write(`\nYour first API key, shown only once: ${firstKey}\n\nTry it:\n\n  ${command}\n\n`);
}
