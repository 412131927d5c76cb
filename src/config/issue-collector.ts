import { ConfigError, type ConfigIssue } from './config-error.ts';
import type { ParsedYaml, Position } from './parse-yaml.ts';
import { displayPointer } from './pointer.ts';

/** Collects what is wrong with one configuration, and knows where in its text each place stands. */
export interface Report {
  /** JSON Pointers of all mistakes so far. */
  readonly unsound: ReadonlySet<string>;
  readonly warnings: readonly string[];
  mistake(pointer: string, message: string, hint?: string | null, at?: 'key' | 'value'): void;
  warn(pointer: string, message: string): void;
  /** @throws ConfigError when there is a mistake. */
  throwIfMistaken(): void;
}

/** @param parsed null when there is no text. */
export function createReport(parsed: ParsedYaml | null, file: string | null): Report {
  const mistakes: ConfigIssue[] = [];
  const unsound = new Set<string>();
  const warnings: string[] = [];
  const positionOf = (pointer: string, at: 'key' | 'value'): Position => {
    if (!parsed) return { line: 1, column: 1 };
    return at === 'key' ? parsed.positionOfKey(pointer) : parsed.positionOfValue(pointer);
  };
  for (const { pointer, ...mistake } of parsed?.mistakes ?? []) {
    unsound.add(pointer);
    mistakes.push({ path: displayPointer(pointer), ...mistake });
  }
  return {
    unsound,
    warnings,
    mistake(pointer, message, hint = null, at = 'value') {
      unsound.add(pointer);
      mistakes.push({ path: displayPointer(pointer), ...positionOf(pointer, at), message, hint });
    },
    warn(pointer, message) {
      const { line, column } = positionOf(pointer, 'value');
      const place = parsed && file !== null ? `${file}:${line}:${column} ` : '';
      const path = displayPointer(pointer);
      warnings.push(`${place}${path}${path ? ': ' : ''}${message}`);
    },
    throwIfMistaken() {
      if (mistakes.length > 0) throw new ConfigError(mistakes, file);
    },
  };
}
