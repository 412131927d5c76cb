import { parseYaml } from '../../src/config/parse-yaml.ts';
import { displayPointer, type Steps, toPointer, valueAt } from '../../src/config/pointer.ts';

/** Reads one YAML file of `data` part by part. A wrong value is reported in `issues` and then treated as missing. */
export interface TableReader {
  /** `data/tables/networks.yaml:12: hosting.OVH[0] is not a number`, each with its line. */
  readonly issues: readonly string[];
  report(steps: Steps, message: string): void;
  /** The keys of a mapping. Reports keys that are not in `known`, and known keys that are missing. */
  keys(steps: Steps, known?: readonly string[]): readonly string[];
  /** The valid items of a list, each once. Reports an item that is already in `seen`. */
  items<Item extends string | number>(steps: Steps, rule: ItemRule<Item>): readonly Item[];
  /** A single value; null when it is left out. */
  optional<Item extends string | boolean>(steps: Steps, rule: ValueRule<Item>): Item | null;
}

export interface ValueRule<Item> {
  readonly isValid: (value: unknown) => value is Item;
  /** For messages: `is not <what>`. */
  readonly what: string;
}

export interface ItemRule<Item> extends ValueRule<Item> {
  /** Shared by lists that must not repeat each other; where each item was seen first. */
  readonly seen: Map<Item, string>;
}

export function createTableReader(file: string, text: string): TableReader {
  const parsed = parseYaml(text);
  const issues = parsed.issues.map(({ line, message }) => `${file}:${line}: ${message}`);

  function report(steps: Steps, message: string): void {
    const { line } = parsed.positionOfValue(toPointer(steps));
    issues.push(`${file}:${line}: ${nameOf(steps)} ${message}`);
  }

  return {
    issues,
    report,
    keys(steps, known) {
      const value = valueAt(parsed.value, steps);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        report(steps, 'is not a mapping of names');
        return [];
      }
      const keys = Object.keys(value);
      if (!known) return keys;
      for (const key of keys) {
        if (!known.includes(key)) report([...steps, key], `is unknown; known are ${known.join(', ')}`);
      }
      for (const key of known) if (!keys.includes(key)) report(steps, `has no ${key}`);
      return keys.filter((key) => known.includes(key));
    },
    items(steps, { isValid, what, seen }) {
      const value = valueAt(parsed.value, steps);
      if (!Array.isArray(value)) {
        report(steps, 'is not a list');
        return [];
      }
      return value.filter((item, i) => {
        const place = [...steps, i];
        if (!isValid(item)) {
          report(place, `is not ${what}: ${JSON.stringify(item)}`);
          return false;
        }
        const first = seen.get(item);
        if (first !== undefined) report(place, `repeats ${item}, which is in ${first}`);
        seen.set(item, nameOf(steps));
        return first === undefined;
      });
    },
    optional(steps, { isValid, what }) {
      const value = valueAt(parsed.value, steps);
      if (value === undefined) return null;
      if (isValid(value)) return value;
      report(steps, `is not ${what}: ${JSON.stringify(value)}`);
      return null;
    },
  };
}

function nameOf(steps: Steps): string {
  return steps.length === 0 ? 'the file' : displayPointer(toPointer(steps));
}
