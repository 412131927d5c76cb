import { expectationOf } from '../../src/config/describe-issue.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { defaultOf, templateOf } from './default-of.ts';
import { table } from './table.ts';

interface Row {
  readonly key: string;
  readonly schema: JsonSchema;
  /** Undefined: there is none, the key must be given. */
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

Gatekeeper reads one YAML file: \`--config FILE\`, else \`gatekeeper.yaml\` in the current folder, else the defaults alone.
\`gatekeeper check\` says everything that is wrong with it, \`gatekeeper check --print\` prints what is in effect without
its secrets. [\`gatekeeper.example.yaml\`](../gatekeeper.example.yaml) is an annotated file to start from,
[\`config/defaults.yaml\`](../config/defaults.yaml) holds every setting with its default.

- **Merging.** Your file is laid over the defaults: mappings key by key, plans and points by name, lists are replaced
  whole. A section or list without a value stands for its defaults.
- **Short forms.** In \`listen\` a port alone, \`8000\` or \`:8000\`, is one of 127.0.0.1; write \`0.0.0.0:8000\` to be reached from
  elsewhere. \`upstream: localhost:3000\` is \`http://localhost:3000\`. A route without a \`name\` is called after its path:
  \`/users/:id/register\` is \`users-id-register\`, \`/\` is \`root\`, and a second route of that name gets a number.
  \`gatekeeper check --print\` shows what comes of them.
- **Durations** are a whole number and a unit: \`150ms\`, \`5s\`, \`30m\`, \`24h\`, \`90d\`. **Sizes** likewise: \`512b\`, \`16kb\`,
  \`1mb\`, \`1gb\`, in steps of 1,024.
- **From outside.** Anywhere in a value \`\${NAME}\` is the environment variable and \`\${file:/run/secrets/x}\` the content of
  a file, without the line end at its end. Both must exist. \`$\${\` is a plain \`\${\`. Quote the value.
- **Paths** that are relative start at the folder of the file, without a file at the current one.
- **Strictness.** Unknown keys, duplicate keys, YAML tags and a second document are mistakes.
- **Reload.** A changed file is taken over within five seconds, and on SIGHUP at once; a SIGHUP that comes during the start is
  remembered. A file with mistakes is refused, and the old configuration stays. Files named in \`\${file:…}\` are read again on
  SIGHUP. What the process was opened with waits for a restart, and the log names it: \`listen\`, \`storage\`, \`datasets\`,
  \`mail\`, \`log\`, \`server\`, \`workers\`, secrets.
- **Editors** that know the YAML language server complete and check the file when it begins with
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
  if (items) return items.properties ? 'list of mappings' : `list; each ${expectationOf(items)}`;
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
  return `${description} ${secret === 'whole' ? 'Redacted' : 'Its password is redacted'} wherever it is printed.`;
}
