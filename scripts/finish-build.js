// The last step of the build: the command line must be executable, wherever it was checked out, and styles
// and the dashboard's scripts belong beside the code.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const inRoot = (path) => fileURLToPath(new URL(path, root));

chmodSync(inRoot('dist/cli/main.js'), 0o755);
for (const folder of ['dashboard/static', 'web/style']) {
  rmSync(inRoot(`dist/${folder}`), { recursive: true, force: true });
  cpSync(inRoot(`src/${folder}`), inRoot(`dist/${folder}`), { recursive: true });
}
console.log('Gatekeeper is built. Start it with: npm start');
