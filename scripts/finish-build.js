// The last step of the build: the command line must be executable, wherever it was checked out.
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

chmodSync(fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)), 0o755);
