import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse, stringify } from 'yaml';
import { configSchema } from '../../src/config/config-schema.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { at, type Block, type Page, parsePage, readPages } from './read-page.ts';

/** What a fragment leaves out because the page shows it elsewhere. A block that has one of these keys keeps its own. */
const GATE = { upstream: 'http://127.0.0.1:3000', public_url: 'https://app.example' };
/** Values of the placeholders in the blocks, where any text of 32 characters would not do. */
const ENV: Readonly<Record<string, string>> = {
  GATEKEEPER_EXPORT_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  GATEKEEPER_ALERT_SECRET: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
  SLACK_WEBHOOK_URL: 'https://hooks.example/services/1',
  PRIVATE_KEY: '',
};

/**
 * `gatekeeper check` of each block: null when it accepts the block. A block of list entries (`- {name: …}`) belongs under
 * `proxy.routes`. Any other block is a whole file, except that `proxy` may leave out the app. YAML that is no
 * configuration says so after the fence: `yaml compose`, `yaml output`.
 */
async function refusal(t: ExecutionContext, block: Block): Promise<string | null> {
  const value: unknown = parse(block.text);
  const file = Array.isArray(value) ? { proxy: { ...GATE, routes: value } } : complete(value);
  if (file === null) return 'is no configuration: say what it is after the fence, such as "yaml output"';
  const folder = temporaryFolder(t);
  // The file that a page names beside the configuration.
  writeFileSync(join(folder, 'logo.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  // As it is written where possible, so that a mistake in the writing counts too.
  writeFileSync(join(folder, 'gatekeeper.yaml'), file === value ? block.text : stringify(file));
  const names = [...block.text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, ENV[name] ?? 'x'.repeat(32)]));
  const { code, out, err } = await runCommand(['check'], folder, env);
  return code === 0 ? null : `is refused: ${(err || out).trim()}`;
}

function complete(value: unknown): unknown {
  if (!isObject(value) || !Object.keys(value).some((key) => key in (configSchema.properties ?? {})))
    return null;
  const { proxy } = value;
  if (!isObject(proxy) || 'upstream' in proxy) return value;
  return { ...value, proxy: { ...GATE, ...proxy } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function wrongBlocks(t: ExecutionContext, page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const block of page.blocks) {
    if (block.language !== 'yaml' || block.mark !== '') continue;
    const said = await refusal(t, block);
    if (said !== null) wrong.push(at(page, block, said));
  }
  return wrong;
}

for (const page of readPages()) {
  if (!page.blocks.some(({ language }) => language === 'yaml')) continue;
  test(`gatekeeper check accepts every YAML block of ${page.path}`, async (t) => {
    t.deepEqual(await wrongBlocks(t, page), []);
  });
}

const planted: readonly (readonly [name: string, yaml: string, said: RegExp])[] = [
  ['an unknown key', 'proxy:\n  upsteam: http://127.0.0.1:3000', /^planted\.md:1 is refused: .*upsteam/s],
  ['a wrong value', 'privacy: {retention: long}', /^planted\.md:1 is refused: .*retention/s],
  ['a wrong route', '    - {path: /signup, mode: watch}', /^planted\.md:1 is refused: .*mode/s],
  ['a file of another program', 'services:\n  app: {image: x}', /^planted\.md:1 is no configuration/],
];
for (const [name, yaml, said] of planted) {
  test(`${name} in a YAML block is found`, async (t) => {
    const fence = '```';
    const page = parsePage('planted.md', `${fence}yaml\n${yaml}\n${fence}\n`);
    const [wrong = '', ...others] = await wrongBlocks(t, page);
    t.regex(wrong, said);
    t.deepEqual(others, []);
    const marked = parsePage('planted.md', `${fence}yaml output\n${yaml}\n${fence}\n`);
    t.deepEqual(await wrongBlocks(t, marked), []);
  });
}
