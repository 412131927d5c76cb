// `npm start` in a checkout: builds when nothing is built yet or a source is newer than what was built.
import { execSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = join(root, 'src');
const tables = join(root, 'data/tables');
const built = join(root, 'dist/cli/main.js');

function newest(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((time, entry) => Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}

const isBuilt = existsSync(built) && existsSync(join(root, 'datasets'));
// An installed package ships built and has no sources.
if (
  existsSync(sources) &&
  (!isBuilt || Math.max(newest(sources), newest(tables)) > statSync(built).mtimeMs)
) {
  execSync('npm run build', { cwd: root, stdio: 'inherit' });
}
