import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { format, toTable, writeReport } from '../../bench/report.ts';
import type { Row } from '../../bench/row.ts';

const rows: readonly Row[] = [
  {
    name: 'scoring',
    unit: '×',
    target: { bound: 'at_least', must: 1.3, aim: 1.7 },
    values: [1.2, 1.1, 1.25],
    note: '100 µs, theirs 120 µs a request',
  },
  { name: 'a reader', unit: 'µs', target: null, values: [0.5], note: null },
];

test('a row shows verdict, median, spread and targets', (t) => {
  const [head, first, second] = toTable(rows).split('\n');
  t.regex(head ?? '', /row +median +min\.\.max +must +aim/);
  t.regex(first ?? '', /^UNDER MUST +scoring +1\.20× +1\.10\.\.1\.25 +1\.30× +1\.70× +100 µs, theirs 120/);
  t.regex(second ?? '', /^ +a reader +0\.500 µs +one run$/);
});

test('figures show three digits that count', (t) => {
  t.deepEqual([0, 0.12345, 1.2345, 12.345, 123.45, 12_345.6].map(format), [
    ...['0.00', '0.123', '1.23', '12.3', '123', '12346'],
  ]);
});

test('the report holds every value, the median and the verdict', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-bench-report-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const machine = { node: 'v20.19.0', cores: 2, processor: 'any', loadBefore: 0.1, pinned: true };
  const file = writeReport(join(folder, 'reports'), {
    at: '2026-11-21T00:00:00Z',
    machine,
    rows,
    failed: [],
  });
  const written = JSON.parse(readFileSync(file, 'utf8'));
  t.deepEqual(written.machine, machine);
  t.like(written.rows[0], { values: [1.2, 1.1, 1.25], median: 1.2, verdict: 'UNDER MUST' });
  t.is(written.rows[1].verdict, null);
});
