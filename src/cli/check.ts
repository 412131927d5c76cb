import { ConfigError } from '../config/config-error.ts';
import { findConfigFile } from '../config/find-config-file.ts';
import { formatYaml } from '../config/format-yaml.ts';
import type { LoadedConfig } from '../config/load.ts';
import { redactDocument } from '../config/redact.ts';
import { showOwnUrls } from '../config/spell-out.ts';
import { findUnsupported } from '../config/unsupported.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { findUnreadableFiles } from './unreadable-files.ts';

export interface CheckOptions {
  /** `--config`; null: `gatekeeper.yaml` here, if there is one. */
  readonly config: string | null;
  /** `--print`: the effective configuration on standard output, secrets redacted. */
  readonly print: boolean;
  /** Loads as `gatekeeper serve` would; throws ConfigError. */
  readonly load: (file: string | null) => LoadedConfig;
}

/** `gatekeeper check`: says everything that is wrong with the configuration. Mistakes and warnings on standard error. */
export function check({ config, print, load }: CheckOptions, context: CommandContext): ExitCode {
  const file = config ?? findConfigFile(context.cwd);
  let loaded: LoadedConfig;
  try {
    loaded = load(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    context.writeError(`${error.message}\n${summary(error.issues.length)}\n`);
    return 1;
  }
  const unreadable = findUnreadableFiles(loaded.config);
  if (unreadable.length > 0) {
    context.writeError(`${unreadable.join('\n')}\n${summary(unreadable.length)}\n`);
    return 1;
  }
  const warnings = [...loaded.warnings, ...findUnsupported(loaded.config)];
  for (const warning of warnings) context.writeError(`warning: ${warning}\n`);
  if (print) context.write(formatYaml(redactDocument(showOwnUrls(loaded.document), loaded.secretPlaces)));
  else context.write(`${file ?? 'The default configuration'} is fine\n`);
  return 0;
}

function summary(count: number): string {
  return count === 1 ? '1 mistake' : `${count} mistakes`;
}
