import { execFileSync } from 'node:child_process';
import test from 'ava';
import { optionsToRun } from '../helpers/run-module.ts';

/** The garbage collections of a program that keeps replacing its objects. */
function collections(mode: 'as started' | 'tuned', flags: readonly string[] = []) {
  const program = optionsToRun(new URL('../helpers/replace-objects.ts', import.meta.url));
  const args = ['--trace-gc', ...flags, ...program, mode];
  const log = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const count = (kind: RegExp) => log.match(kind)?.length ?? 0;
  return { full: count(/Mark-Compact/g), young: count(/Scavenge/g) };
}

test('a heap that may grow is collected rarely', (t) => {
  // As little growth as V8 comes to allow under many bodies.
  const flags = ['--heap-growing-percent=5'];
  const before = collections('as started', flags).full;
  const after = collections('tuned', flags).full;
  t.log(`${before} full collections with little growth, ${after} with what the server allows`);
  t.true(after <= before * 0.6);
});

test('new objects are young, also when the objects before them lived long', (t) => {
  // V8 decides it anew in each process: in about three of four it creates these objects among the old ones.
  const least = (mode: 'as started' | 'tuned', tries: number) =>
    Math.min(...Array.from({ length: tries }, () => collections(mode).young));
  const before = least('as started', 5);
  const after = least('tuned', 3);
  t.log(`${before} young collections as V8 decides, ${after} with the settings of the server`);
  t.true(after >= before * 3);
});
