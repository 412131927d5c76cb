import { expectationOf } from '../../src/config/describe-issue.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { defaultOf, templateOf } from './default-of.ts';
import { table } from './table.ts';

interface Row {
  readonly key: string;
  readonly schema: JsonSchema;
  /** The default. Undefined: the key is required. */
  readonly value: unknown;
}

/** `docs/configuration.md`: every key of `gatekeeper.yaml` with type, default and meaning. */
export function configurationPage(schema: JsonSchema, defaults: unknown): string {
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const rows = rowsOf(name, part, defaultOf(defaults, name));
    const text = part.description === rows[0]?.schema.description ? [] : [part.description ?? '', ''];
    const cells = rows.map((row) => [
      `\`${row.key}\``,
      typeOf(row.schema),
      defaultText(row),
      meaningOf(row.schema),
    ]);
    return [`## ${name}`, '', ...text, ...table(['key', 'type', 'default', 'meaning'], cells), ''].join('\n');
  });
  return `${INTRODUCTION}\n${parts.join('\n')}`;
}

const INTRODUCTION = `<!-- Generated from src/config/config-schema.ts by scripts/generate-docs.ts -->
# Configuration

Gatekeeper reads one YAML file: \`--config FILE\`, else \`gatekeeper.yaml\` in the current folder, else only the defaults.
\`gatekeeper check\` lists every mistake in the file. \`gatekeeper check --print\` prints the effective configuration without
secrets. [\`gatekeeper.example.yaml\`](../gatekeeper.example.yaml) is an example with comments.
[\`config/defaults.yaml\`](../config/defaults.yaml) has every setting with its default.

- **Merging.** Gatekeeper merges your file over the defaults: mappings by key, plans and points by name. A list in your file
  replaces the whole list of the defaults. A section or list without a value keeps its defaults.
- **Short forms.** In \`listen\`, a port without a host (\`8000\` or \`:8000\`) listens on 127.0.0.1. For other machines, write
  \`0.0.0.0:8000\`. \`upstream: localhost:3000\` means \`http://localhost:3000\`. The default \`name\` of a route comes from its path:
  \`/users/:id/register\` gives \`users-id-register\`, \`/\` gives \`root\`, and a second route with the same name gets a number.
  \`gatekeeper check --print\` shows the full form.
- **Durations** are a whole number and a unit: \`150ms\`, \`5s\`, \`30m\`, \`24h\`, \`90d\`. **Sizes** have the units \`512b\`, \`16kb\`,
  \`1mb\`, \`1gb\`, in steps of 1,024.
- **Placeholders.** In any value, \`\${NAME}\` inserts an environment variable, and \`\${file:/run/secrets/x}\` inserts the content of
  a file without its last line end. Both must exist. \`$\${\` is a literal \`\${\`. Put the value in quotes.
- **Paths.** A relative path starts at the folder of the configuration file. Without a file, it starts at the current folder.
- **Strictness.** Unknown keys, duplicate keys, YAML tags and a second YAML document are mistakes.
- **Reload.** Gatekeeper reloads a changed file within five seconds, and immediately on SIGHUP. When the new file has mistakes,
  the old configuration stays. Some settings need a restart. [Reload, backup and upgrade](operations.md) lists them.
- **Editors** with the YAML language server complete and check the file when its first line is
  \`# yaml-language-server: $schema=config/gatekeeper.schema.json\`.
`;

function rowsOf(key: string, schema: JsonSchema, value: unknown): readonly Row[] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, child]) =>
      rowsOf(`${key}.${name}`, child, defaultOf(value, name)),
    );
  }
  if (schema.items?.properties) {
    const itself = { key, schema, value: [] };
    return [itself, ...rowsOf(`${key}[]`, schema.items, templateOf(value))];
  }
  const entry = schema.additionalProperties;
  if (typeof entry === 'object' && entry.properties) {
    return [{ key, schema, value }, ...rowsOf(`${key}.<name>`, entry, undefined)];
  }
  return [{ key, schema, value }];
}

function typeOf(schema: JsonSchema): string {
  const { items, additionalProperties } = schema;
  if (items)
    return items.properties && items.format === undefined
      ? 'list of mappings'
      : `list; each ${expectationOf(items)}`;
  if (typeof additionalProperties === 'object') {
    const isPlain = additionalProperties.properties === undefined;
    return isPlain ? `mapping; each value ${expectationOf(additionalProperties)}` : 'mapping by name';
  }
  return expectationOf(schema);
}

function defaultText({ value, schema }: Row): string {
  if (value === undefined && schema.absent === undefined) return '**required**';
  if (value === undefined || value === null) return schema.absent ?? 'none';
  if (Array.isArray(value) && value.length === 0) return 'none';
  const text =
    typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ') : value;
  return text === '{}' ? 'none' : `\`${text}\``;
}

function meaningOf({ description = '', secret }: JsonSchema): string {
  if (secret === undefined) return description;
  return `${description} ${secret === 'whole' ? 'Redacted' : 'The password is redacted'} in all output.`;
}
