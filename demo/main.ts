// `npm run demo`: the gate in front of a sample shop, with a simulated week behind it, on one port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../scripts/random.ts';
import { describeDecision } from '../src/exports/decision-document.ts';
import { createToken } from '../src/web/tokens.ts';
import { claimPort } from './claim-port.ts';
import { createControls } from './controls.ts';
import { createDashboardProxy } from './dashboard-proxy.ts';
import { createDecisionFeed } from './decision-feed.ts';
import { type GatekeeperProcess, startGatekeeper } from './gatekeeper-process.ts';
import { prepareRecords } from './history/prepare.ts';
import { type ModeName, writeConfiguration } from './modes.ts';
import { isSignedIn, signInAsOperator } from './operator.ts';
import { sendSignups } from './send-signups.ts';
import { createSenders, type SenderKind } from './senders/senders.ts';
import { type DemoSettings, readSettings, SettingsError } from './settings.ts';
import { createShop, listen } from './shop.ts';

const state: { gatekeeper: GatekeeperProcess | null; isStopping: boolean } = {
  gatekeeper: null,
  isStopping: false,
};
const TRIES_TO_DELETE = 20;
// Removed at the end, so that each demo starts with the same kind of week.
const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-demo-'));
process.once('exit', () => deleteFolder());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

try {
  await run(readSettings(process.env));
} catch (error) {
  if (!state.isStopping) {
    console.error(error instanceof SettingsError ? error.message : `The demo failed: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
await state.gatekeeper?.stop();
process.exit();

/** Resolves when the demo has ended. */
async function run(settings: DemoSettings): Promise<void> {
  const freePort = await claimPort(settings);
  console.log('Preparing a week of simulated signups…');
  const feed = createDecisionFeed();
  const file = join(folder, 'gatekeeper.yaml');
  let mode: ModeName = 'normal';
  writeConfiguration(file, mode);
  const random = createRandom(Date.now());
  const env = {
    ...process.env,
    DEMO_LISTEN: listenOf(settings),
    DEMO_URL: settings.url,
    DEMO_SHOP_PORT: '1',
  };
  const { operator, assertionSecret, crowd } = await prepareRecords({
    folder,
    file,
    env,
    random,
    decided: {
      write: (decision, recorded) => feed.add(JSON.parse(describeDecision(decision, recorded)), true),
    },
  });
  const senders = createSenders(crowd, random);
  const token = createToken();
  const dashboardUrl = () => state.gatekeeper?.dashboardUrl ?? '';
  const signIn = signInAsOperator(operator, { token, dashboardUrl });
  const gateUrl = `http://${ofThisMachine(settings)}`;
  const shop = createShop({
    assertionSecret,
    page: async ({ headers }) => ({
      senders,
      mode,
      isSignedIn: await isSignedIn(headers.cookie, dashboardUrl()),
    }),
    controls: (customers) =>
      createControls({
        feed,
        customers,
        signIn,
        mode: () => mode,
        async setMode(next) {
          writeConfiguration(file, next);
          await state.gatekeeper?.reload();
          mode = next;
        },
        isSender: (kind): kind is SenderKind => Object.hasOwn(senders, kind),
        send: (kind) => sendSignups(senders[kind], { gateUrl, feed }),
      }),
    dashboard: createDashboardProxy(dashboardUrl),
  });
  const { server, port } = await listen(shop);
  await freePort();
  state.gatekeeper = await startGatekeeper({
    file,
    env: { ...env, DEMO_SHOP_PORT: String(port) },
    onDecision: (line) => feed.add(line, false),
  });
  print(settings, token);
  await state.gatekeeper.ended;
  server.close();
  server.closeAllConnections();
  if (!state.isStopping) throw new Error('Gatekeeper ended. Start the demo again.');
}

function print({ url, host }: DemoSettings, token: string): void {
  const forward =
    host === '127.0.0.1'
      ? `\n  On another machine? ssh -L ${new URL(url).port}:localhost:${new URL(url).port} this-machine`
      : '';
  console.log(`
  Open the demo   ${url}/demo/sign-in/${token}

  This link signs you in as operator. The shop alone is at ${url}
  Ctrl+C ends the demo and deletes its data.${forward}
`);
}

/** Other threads still run, and may make a file while the folder is deleted. Then the system keeps the folder. */
function deleteFolder(triesLeft = TRIES_TO_DELETE): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (triesLeft <= 1) throw error;
    deleteFolder(triesLeft - 1);
  }
}

/** Ends the demo. A second signal changes nothing: a terminal may send several. */
async function stop(): Promise<void> {
  if (state.isStopping) return;
  state.isStopping = true;
  if (state.gatekeeper === null) process.exit(0);
  await state.gatekeeper.stop();
}

function listenOf({ host, port }: DemoSettings): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where the gate is reached from here: an address for all networks is none to connect to. */
function ofThisMachine(settings: DemoSettings): string {
  const { host, port } = settings;
  if (host === '0.0.0.0') return `127.0.0.1:${port}`;
  return host === '::' ? `[::1]:${port}` : listenOf(settings);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
