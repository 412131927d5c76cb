import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Measurement } from '../../../scripts/evaluate/measurement.ts';
import { toReliabilityTable, toTable, writeReport } from '../../../scripts/evaluate/report.ts';

const row: Measurement = {
  set: 'crawlers',
  counted: 'user_agent medium or high',
  population: 2000,
  hits: 1990,
  target: { bound: 'at_least', share: 0.99 },
  whole: { medium: 0.5, high: 0 },
  reasons: { known_crawler: 1990 },
  apart: [{ why: 'outdated', count: 3 }],
  wrong: ['Quiet/1.0'],
};

const band = {
  half: 'held aside',
  from: 0.9,
  to: 1,
  burners: 30,
  clean: 2,
  predicted: 0.94,
  observed: 0.97,
} as const;

test('a band of probability without domains has no shares', (t) => {
  const lines = toReliabilityTable([
    band,
    { ...band, burners: 0, clean: 0, predicted: null, observed: null },
  ]);
  t.regex(lines.split('\n')[1] ?? '', /held aside +90 % to 100 % +30 +2 +94 % +97 %$/);
  t.regex(lines.split('\n')[2] ?? '', /held aside +90 % to 100 % +0 +0$/);
});

test('the table shows rates beside targets and marks a missed one', (t) => {
  const lines = toTable([
    row,
    { ...row, set: 'few', hits: 10 },
    { ...row, set: 'free', target: null, whole: null },
  ]).split('\n');
  t.is(lines.length, 4);
  t.regex(lines[1] ?? '', /^ok +crawlers .* 99\.5 % +99\.1 % to 99\.7 % +≥ 99 % +50 % +0 %$/);
  t.regex(lines[2] ?? '', /^MISSED +few .* 0\.5 % +0\.\d+ % to /);
  t.regex(lines[3] ?? '', /^ +free .* 99\.5 % +99\.1 % to 99\.7 %$/);
});

test('the report is written for machines and for people, with what was not measured', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-report-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const report = {
    at: '2026-11-21T00:00:00.000Z',
    policyRevision: 'p',
    dataRevision: 'd',
    measurements: [row],
    reliability: [band],
  };
  writeReport(join(folder, 'new'), { ...report, skipped: ['the moon'] });
  const json = JSON.parse(readFileSync(join(folder, 'new', 'evaluation.json'), 'utf8'));
  t.like(json.measurements[0], { set: 'crawlers', share: 0.995, met: true, wrong: ['Quiet/1.0'] });
  const text = readFileSync(join(folder, 'new', 'evaluation.md'), 'utf8');
  for (const part of [
    '| ok | crawlers |',
    'known_crawler: 1990',
    'set apart, outdated: 3',
    'Quiet/1.0',
    'the moon',
    '| held aside | 90 % to 100 % | 30 | 2 | 94 % | 97 % |',
  ]) {
    t.true(text.includes(part), part);
  }
});
