import { stringify } from 'yaml';

/**
 * Writes plain data as YAML 1.2 that people and `parseYaml` can read. The text has no aliases: each value is written in
 * full.
 */
export function formatYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 110, schema: 'core' });
}
