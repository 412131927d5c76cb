import { execFileSync } from 'node:child_process';
import test from 'ava';
import { optionsToRun } from '../helpers/run-module.ts';

/** The full collections of a program that starts with as little growth as V8 comes to allow under many bodies. */
function fullCollections(mode: 'as started' | 'allowed'): number {
  const program = optionsToRun(new URL('../helpers/replace-objects.ts', import.meta.url));
  const args = ['--trace-gc', '--heap-growing-percent=5', ...program, mode];
  const log = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return log.match(/Mark-Compact/g)?.length ?? 0;
}

test('a heap that may grow is collected rarely', (t) => {
  const before = fullCollections('as started');
  const after = fullCollections('allowed');
  t.log(`${before} full collections with little growth, ${after} with what the server allows`);
  t.true(after <= before * 0.6);
});
