import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import test from 'ava';
import { clientTypes } from '../../scripts/generate-docs/client-types.ts';
import { configurationPage } from '../../scripts/generate-docs/configuration-page.ts';
import { editorSchema } from '../../scripts/generate-docs/editor-schema.ts';
import { errorsPage } from '../../scripts/generate-docs/errors-page.ts';
import { pythonClientTypes } from '../../scripts/generate-docs/python-client-types.ts';
import { reasonsPage } from '../../scripts/generate-docs/reasons-page.ts';
import { typescriptClientTypes } from '../../scripts/generate-docs/typescript-client-types.ts';
import { REASONS } from '../../src/assessment/reasons.ts';
import { configSchema } from '../../src/config/config-schema.ts';
import { parseYaml } from '../../src/config/parse-yaml.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { PROBLEMS, type ProblemCode, ProblemError, problemDocument } from '../../src/http/problem.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const defaults = parseYaml(read('config/defaults.yaml')).value;

test('the committed schema and pages are those that the source says', (t) => {
  const schema = `${JSON.stringify(editorSchema(configSchema, defaults), null, 2)}\n`;
  t.is(read('config/gatekeeper.schema.json'), schema, 'run: npm run docs');
  t.is(read('docs/configuration.md'), configurationPage(configSchema, defaults), 'run: npm run docs');
  t.is(read('docs/errors.md'), errorsPage(), 'run: npm run docs');
  t.is(read('docs/reasons.md'), reasonsPage(defaults), 'run: npm run docs');
  t.is(read('src/client/api-types.generated.ts'), typescriptClientTypes(clientTypes()), 'run: npm run docs');
  t.is(
    read('clients/python/src/signup_gatekeeper/api_types.py'),
    pythonClientTypes(clientTypes()),
    'run: npm run docs',
  );
});

test('every setting has a description, and every number says what it counts', (t) => {
  const mute: string[] = [];
  const visit = (schema: JsonSchema, path: string): void => {
    if (!schema.description) mute.push(`${path} has no description`);
    if (schema.type === 'integer' && !schema.unit) mute.push(`${path} has no unit`);
    for (const [key, child] of Object.entries(schema.properties ?? {})) visit(child, `${path}.${key}`);
    if (schema.items) visit(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${path}.*`);
  };
  visit(configSchema, 'config');
  t.deepEqual(mute, []);
});

test('editors accept the example and the defaults, placeholders too, and refuse an unknown key', (t) => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(read('config/gatekeeper.schema.json')),
  );
  t.true(validate(parseYaml(read('gatekeeper.example.yaml')).value), JSON.stringify(validate.errors));
  t.true(validate({ workers: `\${WORKERS}`, privacy: { retention: `\${KEEP}` } }));
  t.false(validate({ privacy: { retention: 'long' } }));
  t.false(validate({ wrokers: 1 }));
});

test('the page of reasons names every code once, with its points and the level that it makes alone', (t) => {
  const page = read('docs/reasons.md');
  for (const code of Object.keys(REASONS)) t.is(page.split(`| \`${code}\` |`).length, 2, code);
  t.regex(page, /`vpn_ip` \| finding \| −30 \| medium \|/);
  t.regex(page, /`disposable_email` \| finding \| −100 \| high, decisive \|/);
  t.regex(page, /`corporate_email` \| classification \| base 95 \| low \|/);
});

test('the page of errors has one section for each code, which the type of a problem names', (t) => {
  const page = read('docs/errors.md');
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    const document = problemDocument(new ProblemError(code as ProblemCode, 'why'), 'id');
    const anchor = /^urn:gatekeeper:problem:(.+)$/.exec(JSON.parse(document).type)?.[1];
    const [, section, ...others] = page.split(`\n## \`${anchor}\`\n`);
    t.deepEqual(others, [], code);
    t.true(section?.startsWith(`\n**Status ${status}.** ${title}\n\n**When:** `), code);
    t.true(page.includes(`[\`${code}\`](#${anchor})`), code);
  }
});

test('a setting that the page of errors names is in the schema', (t) => {
  const documented = read('docs/configuration.md');
  const named = [...read('docs/errors.md').matchAll(/`((?:api|proxy|server|verification)\.[^`]+)`/g)];
  t.true(named.length > 10);
  for (const [, setting] of named) t.true(documented.includes(`\`${setting}`), setting);
});
