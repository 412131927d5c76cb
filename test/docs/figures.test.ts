import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ROOT } from './read-page.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Shares with a decimal, and counts from a thousand: what only a measurement can say. */
const figuresOf = (text: string): string[] => text.match(/\b\d+\.\d+ %|\b\d{1,3}(?:,\d{3})+\b/g) ?? [];

test('every figure on the page about limits is one that the page about detection measured', (t) => {
  const measured = new Set(figuresOf(read('docs/detection.md')));
  const shown = figuresOf(read('docs/limits.md'));
  t.true(shown.length > 10);
  t.deepEqual(
    shown.filter((figure) => !measured.has(figure)),
    [],
  );
});
