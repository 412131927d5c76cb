import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { configSchema } from '../../src/config/config-schema.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { at, type Page, parsePage, ROOT, readPages } from './read-page.ts';

/** What defines names: reasons, problems, fields, settings, headers, variables of the environment. */
const SOURCES = ['src', 'config', 'data', 'deploy', 'examples', 'scripts', 'demo', 'test/helpers', 'clients'];
/** Code, data and configurations of other programs, which have names too. */
const TEXT = /(\.(tsx?|m?js|json|ya?ml|py|rb|php|go|conf|cfg|toml|ini|sh|service|lua|sql)|(^|\/)Caddyfile)$/;
/** Names of other programs and protocols, and a value that ends with a number. */
const OTHERS = new Set([
  ...['pg_stat_activity', 'no_new_privs', 'doc_id', 'default_transaction_read_only'],
  'synchronous_standby_names',
  ...['auth_request', 'client_body_buffer_size', 'status_503'],
]);
const source = SOURCES.filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => TEXT.test(name) && !name.includes('node_modules'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  )
  .join('\n');
const words = new Set(source.match(/[A-Za-z][A-Za-z0-9_]*/g));
const headers = new Set(source.match(/\b(?:x-)?gatekeeper-[a-z-]+/gi)?.map((name) => name.toLowerCase()));

/** Those of docs/metrics.md, which `test/telemetry/metrics-docs.test.ts` compares with the program. */
const metrics = new Set(
  [...readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8').matchAll(/^\| `(gatekeeper_\w+)` \|/gm)].map(
    ([, name = '']) => name,
  ),
);

const isMetric = (name: string): boolean =>
  name.endsWith('*')
    ? [...metrics].some((metric) => metric.startsWith(name.slice(0, -1)))
    : metrics.has(name) || metrics.has(name.replace(/_(bucket|count|sum)$/, ''));

/** Whether the schema has the path: `proxy.routes[].mode`. A mapping with free keys has every key. */
function isSetting(path: readonly string[], schema: JsonSchema = configSchema): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  const { properties, items, additionalProperties, anyOf } = schema as JsonSchema & {
    readonly anyOf?: readonly JsonSchema[];
  };
  if (anyOf?.some((one) => isSetting(path, one))) return true;
  if (items && !properties) return isSetting(path, items);
  const own = properties?.[key];
  if (own) return isSetting(rest, own);
  return typeof additionalProperties === 'object' && isSetting(rest, additionalProperties);
}

const SECTIONS = Object.keys(configSchema.properties ?? {}).join('|');
const SETTING = new RegExp(`^((?:${SECTIONS})(?:\\.[a-z_]+|\\[\\])+)(?![\\w.*/-])`);
const FILE = /\.(md|ts|tsx|js|json|yaml|py|secret|db)$/;
const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

function wrongNames(page: Page): string[] {
  const inCodes = page.codes.flatMap((code) => {
    const { text } = code;
    const wrong: string[] = [];
    const [, setting] = SETTING.exec(text) ?? [];
    if (setting && !FILE.test(setting) && !isSetting(setting.replaceAll('[]', '').split('.')))
      wrong.push(`no such setting: ${setting}`);
    const [metric] = /^gatekeeper_[a-z_]+\*?/.exec(text) ?? [];
    if (metric && !isMetric(metric) && !words.has(metric)) wrong.push(`no such metric: ${metric}`);
    else if (!metric && SNAKE.test(text) && !words.has(text) && !OTHERS.has(text))
      wrong.push(`no such code or field: ${text}`);
    for (const [name] of text.matchAll(/\b(?:X-)?Gatekeeper-[A-Z][A-Za-z-]*[A-Za-z]/g))
      if (!headers.has(name.toLowerCase())) wrong.push(`no such header: ${name}`);
    for (const name of text.match(/\bGATEKEEPER_[A-Z_]+/g) ?? [])
      if (!words.has(name)) wrong.push(`no such environment variable: ${name}`);
    return wrong.map((one) => at(page, code, one));
  });
  const inJson = page.blocks.flatMap((block) => {
    if (block.language !== 'json') return [];
    const names = [...block.text.matchAll(/"([^"\s]+)"/g)].map(([, name = '']) => name);
    return names
      .filter((name) => SNAKE.test(name) && !words.has(name))
      .map((name) => at(page, block, `no such code or field: ${name}`));
  });
  return [...inCodes, ...inJson];
}

for (const page of readPages()) {
  test(`every name that ${page.path} uses exists: codes, fields, metrics, settings, headers, variables`, (t) => {
    t.deepEqual(wrongNames(page), []);
  });
}

test('a name that does not exist is found', (t) => {
  const fence = '```';
  const planted = `\`disposable_email\` \`scoring.levels.low: 80\` \`proxy.routes[].mode\` \`gatekeeper_export_*\` \`docs/api.md\`

\`disposible_email\` \`quota_exeeded\` \`scoring.level\` \`proxy.routes[].modes\` \`privacy.retension: 9d\`

\`gatekeeper_decision_total\` \`gatekeeper_exports_*\` \`X-Gatekeeper-Scores\` \`GATEKEEPER_DEBUGG\`

${fence}json
{"risk_level": "low", "reason_code": "personal_mail"}
${fence}
`;
  t.deepEqual(wrongNames(parsePage('planted.md', planted)), [
    'planted.md:3 no such code or field: disposible_email',
    'planted.md:3 no such code or field: quota_exeeded',
    'planted.md:3 no such setting: scoring.level',
    'planted.md:3 no such setting: proxy.routes[].modes',
    'planted.md:3 no such setting: privacy.retension',
    'planted.md:5 no such metric: gatekeeper_decision_total',
    'planted.md:5 no such metric: gatekeeper_exports_*',
    'planted.md:5 no such header: X-Gatekeeper-Scores',
    'planted.md:5 no such environment variable: GATEKEEPER_DEBUGG',
    'planted.md:7 no such code or field: personal_mail',
  ]);
});
