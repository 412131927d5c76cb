import type { ClientTypes, Field, FieldType, ObjectType } from './client-types.ts';

/** `clients/python/src/signup_gatekeeper/api_types.py`: the types of the API for Python 3.9. */
export function pythonClientTypes({ literals, objects }: ClientTypes): string {
  const answers = objects.filter(({ name }) => name !== 'Signup');
  return `${[
    `"""The types of the API. Generated from src/api/openapi.ts by scripts/generate-docs.ts.

Later versions may add values to ReasonCode and ProblemCode: handle those that you do not know.
"""

from typing import List, Literal, Optional, TypedDict`,
    Object.entries(literals)
      .map(([name, values]) => `${name} = Literal[\n${values.map((value) => `    "${value}",\n`).join('')}]`)
      .join('\n'),
    ...answers.map(classText),
  ].join('\n\n\n')}\n`;
}

/** Python 3.9 has no `NotRequired`: optional fields are in a class of their own. */
function classText({ name, fields }: ObjectType): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (optional.length === 0) return classBody(`${name}(TypedDict)`, required);
  if (required.length === 0) return classBody(`${name}(TypedDict, total=False)`, optional);
  return [
    classBody(`_${name}Required(TypedDict)`, required),
    classBody(`${name}(_${name}Required, total=False)`, optional),
  ].join('\n\n\n');
}

function classBody(head: string, fields: readonly Field[]): string {
  const lines = fields.map(({ name, type, description }) => {
    const comment = description === null ? '' : `    # ${description}\n`;
    return `${comment}    ${name}: ${typeText(type)}`;
  });
  return `class ${head}:\n${lines.join('\n')}`;
}

function typeText(type: FieldType): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'named':
      return type.name;
    case 'literals':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
    case 'list':
      return `List[${typeText(type.of)}]`;
    case 'nullable':
      return `Optional[${typeText(type.of)}]`;
  }
}
