import { readFileSync } from 'node:fs';

/**
 * Ends the process with one sentence when Node is older than `engines` of the package requires. This file and `main.ts`
 * use no syntax that Node 14 cannot read.
 */
export function refuseOldNode(): void {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const needed: string = JSON.parse(file).engines.node.replace('>=', '');
  if (!isOlder(process.versions.node, needed)) return;
  process.stderr.write(
    `Gatekeeper needs Node ${needed} or newer. This is Node ${process.versions.node}. Install a newer version from https://nodejs.org\n`,
  );
  process.exit(1);
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}
