import { ConfigError, type ConfigIssue } from './config-error.ts';
import type { ParsedYaml, Position } from './parse-yaml.ts';
import { displayPointer, fromPointer } from './pointer.ts';

/** Collects the issues of one configuration, with their positions in the text. */
export interface IssueCollector {
  /** JSON Pointers of all issues so far. */
  readonly places: ReadonlySet<string>;
  readonly warnings: readonly string[];
  issue(pointer: string, message: string, hint?: string | null, at?: 'key' | 'value'): void;
  /** Marks a place as invalid, because another issue already covers it. */
  markInvalid(pointer: string): void;
  warn(pointer: string, message: string): void;
  /**
   * @param correct Finds text for the file that corrects issues.
   * @throws ConfigError when there is an issue.
   */
  throwIfAny(correct?: () => string | null): void;
}

/** Tells a check which parts of the document are valid. */
export interface Validity {
  /** True when the place, the places above it and the places below it have no issue. */
  isValid(pointer: string): boolean;
  /** True when the place and the places above it have no issue: the shape is valid, but the content may be invalid. */
  isShaped(pointer: string): boolean;
}

/** @param parsed Null when the configuration has no text. */
export function createIssueCollector(parsed: ParsedYaml | null, file: string | null): IssueCollector {
  const issues: ConfigIssue[] = [];
  const places = new Set<string>();
  const warnings: string[] = [];
  const positionOf = (pointer: string, at: 'key' | 'value'): Position => {
    if (!parsed) return { line: 1, column: 1 };
    return at === 'key' ? parsed.positionOfKey(pointer) : parsed.positionOfValue(pointer);
  };
  for (const { pointer, ...issue } of parsed?.issues ?? []) {
    places.add(pointer);
    issues.push({ path: displayPointer(pointer), ...issue });
  }
  return {
    places,
    warnings,
    issue(pointer, message, hint = null, at = 'value') {
      places.add(pointer);
      issues.push({ path: displayPointer(pointer), ...positionOf(pointer, at), message, hint });
    },
    markInvalid: (pointer) => void places.add(pointer),
    warn(pointer, message) {
      const { line, column } = positionOf(pointer, 'value');
      // If the file does not contain the section, the issue has no line.
      const hasPlace = parsed?.has(`/${fromPointer(pointer)[0] ?? ''}`) ?? false;
      const place = !parsed || file === null ? '' : hasPlace ? `${file}:${line}:${column} ` : `${file} `;
      const path = displayPointer(pointer);
      warnings.push(`${place}${path}${path ? ': ' : ''}${message}`);
    },
    throwIfAny(correct) {
      if (issues.length > 0) throw new ConfigError(issues, file, correct?.() ?? null);
    },
  };
}

/** @param invalid JSON Pointers of the present issues. Later issues are not included. */
export function createValidity(invalid: ReadonlySet<string>): Validity {
  const wrong = new Set(invalid);
  const wrongBelow = new Set([...invalid].flatMap((pointer) => [...parentsOf(pointer)]));
  const isShaped = (pointer: string) =>
    !wrong.has(pointer) && ![...parentsOf(pointer)].some((parent) => wrong.has(parent));
  return { isShaped, isValid: (pointer) => !wrongBelow.has(pointer) && isShaped(pointer) };
}

function* parentsOf(pointer: string): Generator<string> {
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    yield pointer.slice(0, end);
    if (end === 0) return;
  }
}
