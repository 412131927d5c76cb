/**
 * Writes the generated files: the schema for editors, the reference pages and the types of the clients.
 * `tsx scripts/generate-docs.ts --check` writes nothing and exits 1 when a committed file is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/config/config-schema.ts';
import { parseYaml } from '../src/config/parse-yaml.ts';
import { FEED_SOURCES } from '../src/datasets/feed-sources.generated.ts';
import { clientTypes } from './generate-docs/client-types.ts';
import { configurationPage } from './generate-docs/configuration-page.ts';
import { dataSourcesPage } from './generate-docs/data-sources-page.ts';
import { editorSchema } from './generate-docs/editor-schema.ts';
import { errorsPage } from './generate-docs/errors-page.ts';
import { pythonClientTypes } from './generate-docs/python-client-types.ts';
import { reasonsPage } from './generate-docs/reasons-page.ts';
import { typescriptClientTypes } from './generate-docs/typescript-client-types.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const defaults = parseYaml(readFileSync(join(root, 'config/defaults.yaml'), 'utf8')).value;

const files = {
  'clients/python/src/signup_gatekeeper/api_types.py': pythonClientTypes(clientTypes()),
  'config/gatekeeper.schema.json': `${JSON.stringify(editorSchema(configSchema, defaults), null, 2)}\n`,
  'docs/configuration.md': configurationPage(configSchema, defaults),
  'docs/data-sources.md': dataSourcesPage(FEED_SOURCES),
  'docs/errors.md': errorsPage(),
  'docs/reasons.md': reasonsPage(defaults),
  'src/client/api-types.generated.ts': typescriptClientTypes(clientTypes()),
};

const stale = Object.entries(files).filter(([file, content]) => {
  const path = join(root, file);
  return !existsSync(path) || readFileSync(path, 'utf8') !== content;
});
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is stale; run: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, content] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    console.log(`wrote ${file}`);
  }
}
