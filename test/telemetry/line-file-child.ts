import { renameSync } from 'node:fs';
import { openLineFile } from '../../src/telemetry/line-file.ts';

/** Writes 150 lines of 100 characters under a limit for the size of files, and rotates when the limit is reached. */
const [path = ''] = process.argv.slice(2);
process.on('SIGXFSZ', () => {});

const file = openLineFile({
  path,
  onLost: () => {
    process.exitCode = 1;
  },
  onFailure: () => {
    renameSync(path, `${path}.1`);
    for (let i = 100; i < 150; i++) write(i);
    setImmediate(() => file.reopen());
  },
  onRecovery: () => {
    void file.close();
  },
});

function write(number: number): void {
  file.write(`${String(number).padEnd(99)}\n`);
}

for (let i = 0; i < 100; i++) write(i);
