import { dirname, resolve } from 'node:path';
import { checkAlerts } from './alert-checks.ts';
import { checkDocument } from './checks.ts';
import { complete } from './complete.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type CompleteDocument, configSchema } from './config-schema.ts';
import type { ConfigSource } from './config-source.ts';
import { checkDashboard } from './dashboard-checks.ts';
import { toConfig } from './effective.ts';
import { checkExports } from './export-checks.ts';
import { checkFeeds } from './feed-checks.ts';
import { checkGate } from './gate-checks.ts';
import { createIssueCollector, createValidity, type IssueCollector } from './issue-collector.ts';
import { checkLogins } from './login-checks.ts';
import { moveToGate } from './move-to-gate.ts';
import { override } from './overrides.ts';
import { parseYaml } from './parse-yaml.ts';
import { valueAt } from './pointer.ts';
import { withPreset } from './presets.ts';
import { readDefaults } from './read-defaults.ts';
import { readTextFile, reasonOf, remedyOf, type TextFile } from './read-text-file.ts';
import { findSecrets } from './redact.ts';
import { createShapeValidator, type ShapeValidator } from './shape-validator.ts';
import { checkSite } from './site-checks.ts';
import { spellOut } from './spell-out.ts';
import { type Substituted, substitute } from './substitute.ts';
import { checkTelemetry } from './telemetry-checks.ts';

export interface LoadedConfig {
  readonly config: Config;
  /**
   * The configuration with the structure of its file, completed with the defaults. It contains secrets and is the input
   * of `redactDocument`.
   */
  readonly document: CompleteDocument;
  /** The text of the file, for `watchConfig`. Null when the configuration has no file. */
  readonly text: string | null;
  /** JSON Pointers of values that came from a `${file:…}`. Never print these values. */
  readonly secretPlaces: ReadonlySet<string>;
  /** Settings that are allowed but probably not intended, each with its place. */
  readonly warnings: readonly string[];
}

/** The validator is built at the first load and kept, because the known names are constants of the program. */
let validateShape: ShapeValidator | null = null;
let defaults: unknown;

/**
 * Reads a configuration: the defaults, then the file, with `${…}` replaced.
 * @throws ConfigError with all issues, not only the first.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const { file, env, knownNames } = source;
  const currentFolder = source.folder ?? process.cwd();
  const folder = file === null ? currentFolder : dirname(resolve(currentFolder, file));
  const readFile = source.readFile ?? readTextFile;
  const { text, openToOthers } = textOf(source, currentFolder, readFile);
  const parsed = text === null ? null : parseYaml(text);
  const collector = createIssueCollector(parsed, file);
  if (parsed && parsed.value === undefined) collector.throwIfAny();

  defaults ??= readDefaults();
  const given = parsed?.value ?? {};
  const filled = substitute(source.overrides ? override(given, defaults, source.overrides) : given, {
    env,
    readSecret: (path) => readFile(resolve(folder, path)),
  });
  for (const { pointer, message, hint } of filled.issues) collector.issue(pointer, message, hint);
  for (const { pointer, message } of filled.warnings) collector.warn(pointer, message);
  // An absent document has no shape.
  if (text !== null || source.overrides) checkShape(filled, collector);

  const base = withPreset(defaults, filled.value);
  const document = spellOut(complete(configSchema, base, filled.value) as CompleteDocument);
  const context = { document, knownNames, ...createValidity(collector.places), ...collector };
  checkDocument(context);
  checkDashboard(context);
  checkGate(context);
  checkSite(context);
  checkExports(context);
  checkAlerts(context);
  checkTelemetry(context);
  checkFeeds(context);
  checkLogins(context);
  collector.throwIfAny(() => moveToGate(parsed?.value, (corrected) => isAccepted(source, corrected)));

  if (valueAt(filled.value, ['proxy']) === null)
    collector.warn('/proxy', 'has no value, so only the API is served');
  const config = toConfig(document, { folder, feedSources: knownNames.feedSources });
  for (const overlap of knownNames.findOverlaps(config.proxy?.routes ?? []))
    collector.warn('/proxy/routes', overlap);
  if (openToOthers && findSecrets(document).some((pointer) => !filled.changed.has(pointer))) {
    collector.warn(
      '',
      'the file holds a secret and can be read by every user of this machine; chmod 600 or 640 it',
    );
  }
  return { config, document, text, secretPlaces: filled.fromFiles, warnings: collector.warnings };
}

/** Whether the same source with another text has no issue. */
function isAccepted(source: ConfigSource, text: string): boolean {
  try {
    loadConfig({ ...source, text });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

function checkShape({ value, changed }: Substituted, collector: IssueCollector): void {
  validateShape ??= createShapeValidator();
  // A refused value is reported once: its default must not cause another issue.
  const refused = new Set(collector.places);
  const { issues, misnamed, isComplete } = validateShape(value, changed);
  for (const { pointer, message, hint, at } of issues) {
    if (misnamed.has(pointer) && message.startsWith('missing')) collector.markInvalid(pointer);
    else if (!refused.has(pointer)) collector.issue(pointer, message, hint, at);
  }
  if (!isComplete) collector.throwIfAny();
}

/** The text of the configuration. Null when only the defaults apply. */
function textOf(
  { file, text }: ConfigSource,
  folder: string,
  readFile: (path: string) => TextFile,
): { readonly text: string | null; readonly openToOthers: boolean } {
  if (text !== undefined || file === null) return { text: text ?? null, openToOthers: false };
  try {
    return readFile(resolve(folder, file));
  } catch (error) {
    const message = `cannot read the configuration file: ${reasonOf(error)}`;
    const hint = remedyOf(error) ?? 'see --config';
    throw new ConfigError([{ path: '', line: 1, column: 1, message, hint }], file);
  }
}
