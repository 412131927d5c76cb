import type { ExecutionContext } from 'ava';
import test from 'ava';
import { reloadFrom } from '../../src/cli/load-config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { LoadedConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NO_OVERRIDES = { port: null, defaultPort: null, upstream: null };
const ENTRIES = Array.from({ length: 2_000 }, (_, i) => `    - shop${i}.example.com`).join('\n');

function open(t: ExecutionContext, env: Readonly<Record<string, string>> = {}) {
  const context = { cwd: temporaryFolder(t), env };
  return (text: string): LoadedConfig | Promise<LoadedConfig> =>
    reloadFrom(context as Parameters<typeof reloadFrom>[0], NO_OVERRIDES)('gatekeeper.yaml', text);
}

test('a long text is loaded in a thread, with the same result as a short one', async (t) => {
  const load = open(t, { PLACE: '127.0.0.1:9999' });
  const start = `api: {listen: "\${PLACE}"}\nlists:\n  deny:\n`;
  const short = load(`${start}    - shop0.example.com\n`);
  if (short instanceof Promise) return t.fail('a short text needs no thread');
  const loading = load(`${start}${ENTRIES}\n`);
  t.true(loading instanceof Promise, 'requests wait for a long text');
  const long = await loading;
  t.is(long.config.lists.deny.length, 2_000);
  t.deepEqual({ ...long.config, lists: null }, { ...short.config, lists: null });
  t.deepEqual(long.warnings, short.warnings);
  t.true(long.text?.endsWith('shop1999.example.com\n'));
});

test('issues of a long text have the same places and words as in a command', async (t) => {
  const load = open(t);
  const error = await t.throwsAsync(async () => load(`lists:\n  deny:\n${ENTRIES}\n  denny: []\n`), {
    instanceOf: ConfigError,
  });
  t.is(error?.message, 'gatekeeper.yaml:2003:3 lists.denny: unknown key; remove it; "deny" is also present');
  t.is(error?.issues[0]?.line, 2_003);
});
