import { stringify } from 'yaml';

/** Plain data as YAML 1.2, readable for people and for `parseYaml`. Without aliases: each value is written out. */
export function formatYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 110, schema: 'core' });
}
