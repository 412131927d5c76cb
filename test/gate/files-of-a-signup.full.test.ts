import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../src/config/config.ts';
import { startGatekeeper } from '../../src/gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { writeEmptyDatabase } from '../helpers/empty-database.ts';
import { openGatedApp, proxyTo } from '../helpers/gated-app.ts';
import { route } from '../helpers/routes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** An engineer who follows one signup from the gate to the app reads these files. */
const MOST_FILES = 70;
const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
/** Timers of other parts run beside some of the signups, but not beside all of them. */
const SIGNUPS = 8;

test('a signup that is forwarded runs at most 70 files of Gatekeeper', async (t) => {
  const url = await startGate(t);
  const session = new Session();
  session.connect();
  t.teardown(() => session.disconnect());
  await session.post('Profiler.enable');
  const signUp = async (name: string) => {
    const answer = await fetch(`${url}/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@gmail.com`, password: 'correct horse battery staple' }),
    });
    t.is(await answer.text(), 'from the app');
  };
  await signUp('jane.doe');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let always: ReadonlySet<string> | null = null;
  for (let i = 0; i < SIGNUPS; i++) {
    await session.post('Profiler.takePreciseCoverage');
    await signUp(`jane.doe${i}`);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .flatMap(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : []))
      .filter((file) => file.startsWith(SOURCES));
    always = new Set(always === null ? ran : ran.filter((file) => always?.has(file)));
  }
  const files = [...(always ?? [])].map((file) => file.slice(SOURCES.length)).sort();
  t.log(`${files.length} files\n${files.join('\n')}`);
  t.true(files.some((file) => file.startsWith('assessment/judge.')));
  t.true(files.length <= MOST_FILES, `${files.length} files`);
});

/** A whole Gatekeeper in front of an app. */
async function startGate(t: ExecutionContext): Promise<string> {
  const port = await openGatedApp(t);
  const folder = temporaryFolder(t);
  const { scoring, server, storage, dashboard } = defaultConfig;
  const config: Config = {
    ...defaultConfig,
    api: { ...defaultConfig.api, listen: '127.0.0.1:0' },
    server: { ...server, max_lag: 60_000, drain_timeout: 1_000 },
    scoring: { ...scoring, dns: { ...scoring.dns, enabled: false } },
    storage: { ...storage, records: `sqlite:${folder}/gatekeeper.db` },
    dashboard: { ...dashboard, listen: '127.0.0.1:0' },
    proxy: proxyTo(port, { routes: [route('/signup', { on_medium: 'forward', on_high: 'forward' })] }),
  };
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const log = createLogger({ level: 'info', format: 'json', write: () => {} });
  const gatekeeper = await startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  t.teardown(() => gatekeeper.stop());
  if (gatekeeper.gate === null) throw new Error('the gate does not listen');
  return gatekeeper.gate.url;
}
