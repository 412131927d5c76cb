import { openApiDocument } from '../../src/api/openapi.ts';
import { FACTORS, REASONS } from '../../src/assessment/reasons.ts';
import { PROBLEMS } from '../../src/http/problem.ts';

/** The parts of a schema of the API that change the type of a value. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: FieldType;
  readonly description: string | null;
}

export type FieldType =
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' }
  | { readonly kind: 'literals'; readonly values: readonly string[] }
  /** An object or a set of literals that has a name. */
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly of: FieldType }
  | { readonly kind: 'nullable'; readonly of: FieldType };

export interface ObjectType {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The types of a client, in the order of their use: the types of its fields come before a type. */
export interface ClientTypes {
  readonly literals: Readonly<Record<string, readonly string[]>>;
  readonly objects: readonly ObjectType[];
}

const LITERALS: Readonly<Record<string, readonly string[]>> = {
  RiskLevel: ['low', 'medium', 'high'],
  Factor: FACTORS,
  ReasonCode: Object.keys(REASONS),
  ProblemCode: Object.keys(PROBLEMS),
  FeedbackLabel: ['legitimate', 'fraud'],
};

/** The name of each object of the OpenAPI document that a client shows. */
const NAMES: Readonly<Record<string, string>> = {
  ScoreSignupRequest: 'Signup',
  ScoreSignupResponse: 'ScoreAnswer',
  'ScoreSignupResponse.reasons': 'Reason',
  DecisionResponse: 'Decision',
  'DecisionResponse.factors': 'DecisionFactor',
  'DecisionResponse.factors.findings': 'Finding',
  'DecisionResponse.factors.findings.fields': 'EvidenceFields',
  'DecisionResponse.caps': 'Cap',
  'DecisionResponse.counterfactual': 'Counterfactual',
  UsageResponse: 'Usage',
  'UsageResponse.days': 'UsageDay',
  Problem: 'Problem',
  'Problem.errors': 'FieldError',
};

/** Reads the types of the clients from the OpenAPI document. Throws on a construct that a client cannot show. */
export function clientTypes(): ClientTypes {
  const { components } = openApiDocument() as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const objects: ObjectType[] = [];

  function readObject(schema: Schema, path: string): FieldType {
    const name = NAMES[path];
    if (name === undefined) throw new Error(`the clients have no name for ${path}`);
    const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => ({
      name: key,
      isRequired: schema.required?.includes(key) ?? false,
      type: readType(property, `${path}.${key}`),
      description: property.description ?? null,
    }));
    objects.push({ name, fields });
    return { kind: 'named', name };
  }

  function readType(schema: Schema, path: string): FieldType {
    const types = [schema.type ?? []].flat();
    const [type] = types.filter((one) => one !== 'null');
    const read = schema.enum ? readLiterals(schema.enum) : readPlain(schema, type, path);
    return types.includes('null') ? { kind: 'nullable', of: read } : read;
  }

  function readPlain(schema: Schema, type: string | undefined, path: string): FieldType {
    if (type === 'object') return readObject(schema, path);
    if (type === 'array' && schema.items) return { kind: 'list', of: readType(schema.items, path) };
    if (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean')
      return { kind: type };
    throw new Error(`the clients cannot show ${path}`);
  }

  for (const root of Object.keys(NAMES).filter((path) => !path.includes('.'))) {
    const schema = components.schemas[root];
    if (schema === undefined) throw new Error(`the OpenAPI document has no ${root}`);
    readObject(schema, root);
  }
  return { literals: LITERALS, objects };
}

function readLiterals(values: readonly (string | null)[]): FieldType {
  const texts = values.filter((value) => value !== null);
  const [name] = Object.entries(LITERALS).find(([, known]) => known.join() === texts.join()) ?? [];
  return name === undefined ? { kind: 'literals', values: texts } : { kind: 'named', name };
}
