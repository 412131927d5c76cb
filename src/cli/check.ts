import { accessSync, constants, statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { formatYaml } from '../config/format-yaml.ts';
import type { LoadedConfig } from '../config/load.ts';
import { reasonOf } from '../config/read-text-file.ts';
import { redactDocument } from '../config/redact.ts';
import { showOwnUrls } from '../config/spell-out.ts';
import { findUnsupported } from '../config/unsupported.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { findConfigFile, loadFrom } from './load-config.ts';

export interface CheckOptions extends WithConfig {
  /** `--print`: prints the effective configuration to standard output, with secrets redacted. */
  readonly print?: boolean;
}

/** `gatekeeper check`: lists all errors and warnings of the configuration on standard error. */
export function check({ config, print }: CheckOptions, context: CommandContext): ExitCode {
  const file = config ?? findConfigFile(context.cwd);
  let loaded: LoadedConfig;
  try {
    loaded = loadFrom(context)(file);
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
  else context.write(`${file ?? 'The default configuration'} is valid\n`);
  return 0;
}

function summary(count: number): string {
  return count === 1 ? '1 mistake' : `${count} mistakes`;
}

/** Files that the configuration names and that cannot be read, one sentence each. */
function findUnreadableFiles({ proxy, datasets }: Config): string[] {
  const files = [
    { place: 'proxy.tls.cert', path: proxy?.tls?.cert ?? null },
    { place: 'proxy.tls.key', path: proxy?.tls?.key ?? null },
    ...(proxy?.routes ?? []).map(({ name, block_page }) => ({
      place: `the block_page of route "${name}"`,
      path: block_page,
    })),
    { place: 'datasets.asn_mmdb', path: datasets.asn_mmdb },
    { place: 'datasets.country_mmdb', path: datasets.country_mmdb },
    { place: 'datasets.anonymous_ip_mmdb', path: datasets.anonymous_ip_mmdb },
  ];
  return files.flatMap(({ place, path }) => {
    const reason = path === null ? null : whyUnreadable(path);
    return reason === null ? [] : [`${place}: cannot read ${path}: ${reason}`];
  });
}

function whyUnreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? null : 'it is not a regular file';
  } catch (error) {
    return reasonOf(error);
  }
}
