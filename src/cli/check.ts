import { ConfigError } from '../config/config-error.ts';
import { formatYaml } from '../config/format-yaml.ts';
import type { LoadedConfig } from '../config/load.ts';
import { redactDocument } from '../config/redact.ts';
import { showOwnUrls } from '../config/spell-out.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { findScalingLimits } from './find-scaling-limits.ts';
import { findOtherSecret, findRefusedCounters, findRefusedRecords, findUnusable } from './find-unusable.ts';
import { findConfigFile, loadFrom } from './load-config.ts';

export interface CheckOptions extends WithConfig {
  /** The option `--print`: prints the effective configuration to standard output, with secrets redacted. */
  readonly print?: boolean;
}

/**
 * `gatekeeper check`: lists all errors and warnings of the configuration on standard error. It refuses every
 * configuration that `serve` refuses.
 */
export async function check({ config, print }: CheckOptions, context: CommandContext): Promise<ExitCode> {
  const file = config ?? findConfigFile(context.cwd);
  let loaded: LoadedConfig;
  try {
    loaded = loadFrom(context)(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    context.writeError(`${error.message}\n${summary(error.issues.length)}\n`);
    return 1;
  }
  const ofEngines = await Promise.all([
    findRefusedRecords(loaded.config),
    findOtherSecret(loaded.config),
    findRefusedCounters(loaded.config),
  ]);
  const found = [...(await findUnusable(loaded.config)), ...ofEngines.filter((one) => one !== null)];
  const unusable = [...new Set(found)];
  if (unusable.length > 0) {
    context.writeError(`${unusable.join('\n')}\n${summary(unusable.length)}\n`);
    return 1;
  }
  const warnings = [...loaded.warnings, ...(await findScalingLimits(loaded.config))];
  for (const warning of warnings) context.writeError(`warning: ${warning}\n`);
  if (print) context.write(formatYaml(redactDocument(showOwnUrls(loaded.document), loaded.secretPlaces)));
  else context.write(`${file ?? 'The default configuration'} is valid\n`);
  return 0;
}

function summary(count: number): string {
  return count === 1 ? '1 mistake' : `${count} mistakes`;
}
