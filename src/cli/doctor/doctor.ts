import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { WithConfig } from '../command.ts';
import type { CommandContext, ExitCode } from '../command-context.ts';
import { findScalingLimits } from '../find-scaling-limits.ts';
import { findOtherSecret, findRefusedCounters, findUnusable } from '../find-unusable.ts';
import { findConfigFile, loadFrom } from '../load-config.ts';
import { checkAddress, checkTraffic } from './check-address.ts';
import { checkApp, checkDns, checkPorts } from './check-network.ts';
import { checkData, checkMail, checkStorage, checkTls } from './check-state.ts';
import { broken, codeOf, type Finding, ok, warning } from './finding.ts';

export interface DoctorOptions extends WithConfig {
  readonly json?: boolean;
  /** The option `--peer`: the IP address of a connection to explain. */
  readonly peer?: string;
  /** The option `--header`: `name: value`. It can be repeated. */
  readonly header?: readonly string[];
}

/**
 * `gatekeeper doctor`: checks the configuration and the environment of the process. Each problem is reported with a
 * remedy. Returns 1 when a check finds an error.
 */
export async function doctor(
  options: DoctorOptions,
  context: CommandContext,
  clock: Clock = Date.now,
): Promise<ExitCode> {
  const findings = await examine(options, context, clock);
  if (options.json) context.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const finding of findings) context.write(lineOf(finding));
  return findings.some(({ state }) => state === 'broken') ? 1 : 0;
}

async function examine(
  { config: named, peer, header = [] }: DoctorOptions,
  context: CommandContext,
  clock: Clock,
): Promise<readonly Finding[]> {
  const file = named ?? findConfigFile(context.cwd);
  let loaded: LoadedConfig;
  try {
    loaded = loadFrom(context)(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [broken('configuration', error.message, 'gatekeeper check')];
  }
  const { config, warnings } = loaded;
  const unusable = await findUnusable(config);
  if (unusable.length > 0)
    return unusable.map((message) => broken('configuration', message, 'gatekeeper check'));
  const note =
    warnings.length === 0
      ? ''
      : `, with ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}: gatekeeper check`;
  const sample = peer === undefined && header.length === 0 ? null : { peer, headers: header };
  const checks = await Promise.all([
    safely('app', () => checkApp(config)),
    safely('address', () => checkAddress(config, sample)),
    safely('forwarding', () => checkTraffic(config)),
    safely('data', () => checkData(config, clock)),
    safely('dns', () => checkDns(config)),
    safely('mail', () => checkMail(config)),
    safely('storage', () => checkStorage(config)),
    safely('scaling', () => checkScaling(config)),
    safely('tls', () => checkTls(config, clock)),
    safely('ports', () => checkPorts(config)),
  ]);
  return [ok('configuration', `${file ?? 'the defaults'}${note}`), ...checks.flat()];
}

async function checkScaling(config: Config): Promise<readonly Finding[]> {
  const secret = await findOtherSecret(config);
  const counters = await findRefusedCounters(config);
  const limits = await findScalingLimits(config);
  return [
    ...(secret === null ? [] : [broken('scaling', secret, 'gatekeeper records secrets')]),
    ...(counters === null ? [] : [broken('scaling', counters, 'docs/counters.md')]),
    ...limits.map((limit) => warning('scaling', limit, 'docs/fleet.md')),
  ];
}

/** Runs a check. When the check itself fails, this becomes a finding, and the other checks still run. */
async function safely(
  check: string,
  run: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    return [broken(check, `could not be checked (${codeOf(error)})`, 'GATEKEEPER_DEBUG=1 gatekeeper check')];
  }
}

function lineOf({ check, state, message, remedy }: Finding): string {
  const head = `${state.padEnd(8)} ${check.padEnd(14)}`;
  return `${head} ${message}\n${remedy === null ? '' : `${' '.repeat(head.length)} → ${remedy}\n`}`;
}
