import type { ClientTypes, Field, FieldType, ObjectType } from './client-types.ts';

/** Sets that get new values in later versions, so a program needs a default branch. */
const OPEN: readonly string[] = ['ReasonCode', 'ProblemCode'];
const MAX_LINE = 110;

/** `src/client/api-types.generated.ts`: the types of the API with names in camel case. */
export function typescriptClientTypes({ literals, objects }: ClientTypes): string {
  return [
    '// Generated from src/api/openapi.ts by scripts/generate-docs.ts',
    ...Object.entries(literals).map(([name, values]) => literalType(name, values)),
    ...objects.map(objectType),
  ]
    .join('\n\n')
    .concat('\n');
}

function literalType(name: string, values: readonly string[]): string {
  const isOpen = OPEN.includes(name);
  const members = values.map((value) => `'${value}'`).concat(isOpen ? '(string & {})' : []);
  const comment = '/** Later versions may add codes: handle those that you do not know. */\n';
  return `${isOpen ? comment : ''}export type ${name} =\n${wrap(members)};`;
}

/** As many members of a union in a line as fit. */
function wrap(members: readonly string[]): string {
  const lines: string[] = [];
  for (const member of members) {
    const line = `${lines.at(-1)} | ${member}`;
    if (lines.length > 0 && line.length <= MAX_LINE) lines[lines.length - 1] = line;
    else lines.push(`  | ${member}`);
  }
  return lines.join('\n');
}

function objectType({ name, fields }: ObjectType): string {
  return `export interface ${name} {\n${fields.map(fieldLine).join('\n')}\n}`;
}

function fieldLine({ name, isRequired, type, description }: Field): string {
  const comment = description === null ? '' : `  /** ${description} */\n`;
  const optional = isRequired ? [':', ''] : ['?:', ' | undefined'];
  return `${comment}  readonly ${camelCase(name)}${optional[0]} ${typeText(type)}${optional[1]};`;
}

function typeText(type: FieldType): string {
  switch (type.kind) {
    case 'string':
    case 'boolean':
      return type.kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'named':
      return type.name;
    case 'literals':
      return type.values.map((value) => `'${value}'`).join(' | ');
    case 'list':
      return type.of.kind === 'literals'
        ? `readonly (${typeText(type.of)})[]`
        : `readonly ${typeText(type.of)}[]`;
    case 'nullable':
      return `${typeText(type.of)} | null`;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
