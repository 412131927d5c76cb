import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkDocument } from './checks.ts';
import { complete } from './complete.ts';
import type { Config } from './config.ts';
import { ConfigError, type Mistake } from './config-error.ts';
import type { ConfigSource } from './config-source.ts';
import { toConfig } from './effective.ts';
import { checkGate } from './gate-checks.ts';
import { type ParsedYaml, type Position, parseYaml } from './parse-yaml.ts';
import { displayPointer } from './pointer.ts';
import { readTextFile } from './read-text-file.ts';
import { findSecrets } from './redact.ts';
import { type CompleteDocument, configSchema } from './schema.ts';
import { createSoundness } from './soundness.ts';
import { reasonOf, type SecretFile, substitute } from './substitute.ts';
import { createShapeValidator, type ShapeValidator } from './validate.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The same in the terms of the file, completed with the defaults, secrets and all. For `redactDocument`. */
  readonly document: CompleteDocument;
  /** Places whose value came out of a `${file:…}`, as JSON Pointers: never to be printed. */
  readonly secretPlaces: ReadonlySet<string>;
  /** What is allowed and probably not meant, each with its place. */
  readonly warnings: readonly string[];
}

/** Beside `src` in the repository and beside `dist` in the package. */
const DEFAULTS_FILE = new URL('../../config/defaults.yaml', import.meta.url);

let validator: ShapeValidator | null = null;
let defaults: unknown;

/**
 * Reads a configuration: defaults, under the file, with `${…}` filled in.
 *
 * @throws ConfigError with everything that is wrong, not only the first thing.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const currentFolder = source.folder ?? process.cwd();
  const folder = source.file === null ? currentFolder : dirname(resolve(currentFolder, source.file));
  const readFile = source.readFile ?? readTextFile;
  const { text, openToOthers } = textOf(source, currentFolder, readFile);
  const parsed = text === null ? null : parseYaml(text);
  const mistakes: Mistake[] = (parsed?.mistakes ?? []).map(({ pointer, ...mistake }) => ({
    ...mistake,
    path: displayPointer(pointer),
  }));
  const fail = () => new ConfigError(mistakes, source.file);
  if (mistakes.length > 0) throw fail();

  const unsound = new Set<string>();
  const warnings: string[] = [];
  const report = (
    pointer: string,
    message: string,
    hint: string | null = null,
    at: 'key' | 'value' = 'value',
  ) => {
    unsound.add(pointer);
    mistakes.push({ path: displayPointer(pointer), ...positionOf(parsed, pointer, at), message, hint });
  };
  const warn = (pointer: string, message: string) => {
    const { line, column } = positionOf(parsed, pointer, 'value');
    const place = parsed && source.file !== null ? `${source.file}:${line}:${column} ` : '';
    warnings.push(`${place}${displayPointer(pointer)}: ${message}`);
  };

  const filled = substitute(parsed?.value ?? {}, {
    env: source.env,
    readSecret: (path) => readFile(resolve(folder, path)),
  });
  for (const { pointer, message, hint } of filled.mistakes) report(pointer, message, hint);
  for (const { pointer, message } of filled.warnings) warn(pointer, message);
  const missing = new Set(unsound);
  validator ??= createShapeValidator(configSchema);
  for (const { pointer, message, hint, at } of validator(filled.value, filled.changed)) {
    // A placeholder without a value is reported as that, not also as the wrong value which it left.
    if (!missing.has(pointer)) report(pointer, message, hint, at);
  }

  defaults ??= parseYaml(readFileSync(DEFAULTS_FILE, 'utf8')).value;
  const document = complete(configSchema, defaults, filled.value) as CompleteDocument;
  const soundness = createSoundness(unsound);
  const context = { document, catalogue: source.catalogue, ...soundness, mistake: report, warn };
  checkDocument(context);
  checkGate(context);
  if (mistakes.length > 0) throw fail();
  if (openToOthers && findSecrets(document).some((pointer) => !filled.changed.has(pointer))) {
    warn('', 'the file holds a secret and can be read by every user of this machine; chmod 640 or 600 it');
  }
  return { config: toConfig(document, folder), document, secretPlaces: filled.fromFiles, warnings };
}

/** The text of the configuration; null when there is none and the defaults are all. */
function textOf(
  { file, text }: ConfigSource,
  folder: string,
  readFile: (path: string) => SecretFile,
): { readonly text: string | null; readonly openToOthers: boolean } {
  if (text !== undefined || file === null) return { text: text ?? null, openToOthers: false };
  try {
    return readFile(resolve(folder, file));
  } catch (error) {
    const message = `cannot read the configuration file: ${reasonOf(error)}`;
    throw new ConfigError([{ path: '', line: 1, column: 1, message, hint: 'see --config' }], file);
  }
}

function positionOf(parsed: ParsedYaml | null, pointer: string, at: 'key' | 'value'): Position {
  if (!parsed) return { line: 1, column: 1 };
  return at === 'key' ? parsed.positionOfKey(pointer) : parsed.positionOfValue(pointer);
}
