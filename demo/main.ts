// `npm run demo`: the gate in front of a sample shop, the dashboard and a mailbox page, ready to try.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createShop, listen } from './shop.ts';

const GATEKEEPER = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const CONFIG = fileURLToPath(new URL('gatekeeper.yaml', import.meta.url));
const PORTS = { DEMO_SHOP_PORT: 3000, DEMO_GATE_PORT: 8000, DEMO_API_PORT: 8080, DEMO_DASHBOARD_PORT: 8081 };

const ports = Object.fromEntries(
  Object.entries(PORTS).map(([name, usual]) => [name, Number(process.env[name] ?? usual)]),
) as typeof PORTS;
const gateUrl = `http://127.0.0.1:${ports.DEMO_GATE_PORT}`;
const dashboardUrl = `http://127.0.0.1:${ports.DEMO_DASHBOARD_PORT}`;
const assertionSecret = randomBytes(32).toString('base64url');
// Removed at the end, so that each demo starts with empty records.
const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-demo-'));

const shop = await listen(createShop({ assertionSecret, gateUrl, dashboardUrl }), ports.DEMO_SHOP_PORT);
const gatekeeper = spawn(
  process.execPath,
  ['--import', import.meta.resolve('tsx'), GATEKEEPER, 'serve', '--config', CONFIG],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      DEMO_FOLDER: folder,
      DEMO_ASSERTION_SECRET: assertionSecret,
    },
  },
);
console.log(`
  The shop, behind the gate   ${gateUrl}
  The dashboard               ${dashboardUrl}   (open the set-up link below first)
  Its mailbox                 ${dashboardUrl}/mailbox

Ctrl+C ends the demo and deletes its data.
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => gatekeeper.kill(signal));
gatekeeper.once('exit', (code) => {
  shop.close();
  shop.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
