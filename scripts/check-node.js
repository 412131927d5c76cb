// Before `npm start`, `npm run demo` and `npm test`: says in one sentence that Node is too old. Old versions read this file.
import { readFileSync } from 'node:fs';

const needed = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [neededMajor, neededMinor] = needed.split('.').map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `Gatekeeper needs Node ${needed} or newer. This is Node ${process.versions.node}. Install a newer version from https://nodejs.org`,
  );
  process.exit(1);
}
