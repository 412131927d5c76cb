import { type Html, html } from '../web/html.ts';

/** The parts of an OpenAPI document that the page shows. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const MAX_VALUES = 12;
const MAX_DEPTH = 4;

/** The API reference as a page without scripts. All its content comes from the OpenAPI document. */
export function renderReference(document: object): Html {
  const { paths, components } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => describeSchema(name, schema));
  return html`<h1>Gatekeeper API</h1>
<p>Made from <a href="/openapi.json">/openapi.json</a>. A first request:</p>
<pre>curl -s http://HOST/score-signup -H 'X-API-Key: gk_live_…' -H 'Content-Type: application/json' \\
  -d '{"email":"jane.doe@gmail.com","ip_address":"2.125.160.216"}'</pre>
<h2>Routes</h2>
${operations}
<h2>Bodies</h2>
${schemas}`;
}

function describeOperation(method: string, path: string, operation: Operation): Html {
  const { summary, description = '', security, parameters = [], requestBody, responses } = operation;
  const asked = schemaNameOf(requestBody);
  return html`<h3><code>${method.toUpperCase()} ${path}</code></h3>
<p>${withCode(summary)} ${withCode(description)} ${security.length > 0 ? html`Needs a key in <code>X-API-Key</code>.` : 'Needs no key.'}</p>
${parameters.map(
  ({ name, in: place, description = '' }) =>
    html`<p><code>${name}</code> (${place}) ${withCode(description)}</p>
`,
)}${
  asked === null
    ? null
    : html`<p>Request: <a href="#${asked}">${asked}</a></p>
`
}<table>
<thead><tr><th scope="col">Answer</th><th scope="col">Body</th><th scope="col">Codes</th></tr></thead>
<tbody>
${Object.entries(responses).map(([status, response]) => {
  const name = schemaNameOf(response);
  const body = name === null ? 'none' : html`<a href="#${name}">${name}</a>`;
  return html`<tr><th scope="row">${status}</th><td>${body}</td><td>${withCode(response.description)}</td></tr>
`;
})}</tbody>
</table>
`;
}

function describeSchema(name: string, schema: Schema): Html {
  return html`<h3 id="${name}">${name}</h3>
<p>${withCode(schema.description ?? '')}</p>
<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rowsOf(schema, '', 0)}</tbody>
</table>
`;
}

/** The rows for the fields of a schema, and for the fields of the objects and lists in it. */
function rowsOf({ properties = {}, required = [] }: Schema, parent: string, depth: number): Html[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = `${parent}${key}`;
    const inner = schema.items?.properties ? schema.items : schema;
    const optional = required.includes(key) ? '' : ', optional';
    const row = html`<tr><th scope="row"><code>${withBreaks(path)}</code></th><td>${typeOf(schema)}${optional}</td><td>${withCode(meaningOf(schema))}</td></tr>
`;
    const place = inner === schema ? `${path}.` : `${path}[].`;
    return depth === MAX_DEPTH ? [row] : [row, ...rowsOf(inner, place, depth + 1)];
  });
}

function typeOf({ type, format, items }: Schema): string {
  const name = [type ?? 'any'].flat().join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return format === undefined ? name : `${name} (${format})`;
}

function meaningOf({ description = '', enum: values = [] }: Schema): string {
  const shown = values.slice(0, MAX_VALUES).map(String);
  const more = values.length > MAX_VALUES ? `, … (${values.length})` : '';
  return shown.length === 0 ? description : `${description} One of: ${shown.join(', ')}${more}`.trim();
}

/** Descriptions are Markdown, as OpenAPI defines them. Ours use only code in backticks. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

/** A long path of a field breaks after a dot, not inside a name. */
function withBreaks(path: string): Html[] {
  return path.split(/(?<=\.)/).map((name, i) => (i === 0 ? html`${name}` : html`<wbr>${name}`));
}

function schemaNameOf(body: Content | undefined): string | null {
  const [media] = Object.values(body?.content ?? {});
  return media?.schema.$ref?.split('/').at(-1) ?? null;
}
