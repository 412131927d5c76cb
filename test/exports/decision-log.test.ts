import { readFileSync } from 'node:fs';
import test from 'ava';
import { describeDecision } from '../../src/exports/decision-document.ts';
import { openDecisionLog } from '../../src/exports/open-decision-log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../storage/decisions/decision-fixture.ts';

/** The default of one second is for a process that ends. */
const ENOUGH_MS = 60_000;
const SILENT = { info: () => {}, error: () => {} };

test('a decision is one line of JSON with a version, without plain values', (t) => {
  const decision = decisionWith({ route: 'line\nbreak\u2028and\u0085more', action: 'verify', door: 'gate' });
  const text = describeDecision(decision);
  t.notRegex(text, /[\n\r\u0085\u2028\u2029]/);
  const document = JSON.parse(text);
  t.like(document, {
    v: 1,
    type: 'decision',
    request_id: decision.requestId,
    processed_at: new Date(NOON).toISOString(),
    door: 'gate',
    route: 'line\nbreak\u2028and\u0085more',
    trust_score: 91,
    risk_level: 'low',
    action: 'verify',
    domain: 'example.com',
    network: '203.0.113.0/24',
    judging_ms: 0.25,
  });
  t.is(document.pseudonyms.mailbox, 'mailbox-hash');
  t.deepEqual(document.factors.email.findings, [{ code: 'subaddressed_email', evidence: 'a tag' }]);
  t.is(document.factors.velocity, null);
  t.false('plain' in document || 'repeat_of' in document || 'recorded' in document);
});

test('plain values are in the line only when the decision stores them', (t) => {
  const plain = { email: 'ada@example.com', ip: '203.0.113.9', userAgent: null };
  t.deepEqual(JSON.parse(describeDecision(decisionWith({ plain }))).plain, {
    email: 'ada@example.com',
    ip_address: '203.0.113.9',
    user_agent: null,
  });
});

test('a line says which decision it repeats, and that a decision is not recorded', (t) => {
  const decision = decisionWith();
  const document = JSON.parse(describeDecision(decision, { decisionId: 'earlier', isStored: false }));
  t.is(document.repeat_of, 'earlier');
  t.is(document.recorded, false);
});

test('the decision log is a file with one line for each decision', async (t) => {
  const path = `${temporaryFolder(t)}/decisions.ndjson`;
  const metrics = createMetrics();
  const decisionLog = openDecisionLog({ to: path, log: SILENT, metrics: metrics.exports });
  const decisions = Array.from({ length: 20 }, () => decisionWith());
  for (const decision of decisions) decisionLog?.write(decision, {});
  await decisionLog?.close(ENOUGH_MS);
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  t.deepEqual(
    lines.map((line) => JSON.parse(line).request_id),
    decisions.map(({ requestId }) => requestId),
  );
});

test('lines that a full disk refuses are counted, and one line of the log says it', async (t) => {
  const metrics = createMetrics();
  const said: string[] = [];
  const log = { info: () => {}, error: (_: object, message: string) => said.push(message) };
  const decisionLog = openDecisionLog({ to: '/dev/full', log, metrics: metrics.exports });
  for (let i = 0; i < 10; i++) decisionLog?.write(decisionWith(), {});
  await decisionLog?.close(ENOUGH_MS);
  t.is(said.length, 1);
  const counter = metrics.counters.find(({ name }) => name === 'decision_log_lost_lines_total');
  t.deepEqual([...(counter?.series() ?? [])], [[[''], 10]]);
});

test('without a target there is no decision log', (t) => {
  t.is(openDecisionLog({ to: null, log: SILENT, metrics: createMetrics().exports }), null);
});
