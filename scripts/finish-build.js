// The last step of the build: the command line must be executable, wherever it was checked out, and the dashboard's
// styles and scripts stand beside its code.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const inRoot = (path) => fileURLToPath(new URL(path, root));

chmodSync(inRoot('dist/cli/main.js'), 0o755);
rmSync(inRoot('dist/dashboard/static'), { recursive: true, force: true });
cpSync(inRoot('src/dashboard/static'), inRoot('dist/dashboard/static'), { recursive: true });
