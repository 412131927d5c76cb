import test, { type ExecutionContext } from 'ava';
import { createDecisionRecorder, type DecisionRecorder } from '../../src/decisions/decision-recorder.ts';
import { advise, type Decision, decide } from '../../src/decisions/judge-attempts.ts';
import type { StoredDecision } from '../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../src/storage/decisions/search/decision-filter.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { route } from '../helpers/routes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { judgementOf, NOON } from './judged-attempts.ts';

async function openRecorder(t: ExecutionContext) {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const storage = await openDatabase(file, () => NOON);
  t.teardown(() => storage.close());
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const metrics = createMetrics();
  const { decisions, ledger } = storage;
  const recorder = createDecisionRecorder({ decisions, ledger, metrics: metrics.decisions, log });
  return {
    recorder,
    storage,
    file,
    logged: () => lines.map((line) => JSON.parse(line)),
    count(name: string): number {
      const counter = metrics.counters.find((one) => one.name === name);
      return [...(counter?.series() ?? t.fail(name))].reduce((sum, [, count]) => sum + count, 0);
    },
    async rows(): Promise<readonly StoredDecision[]> {
      const rows: StoredDecision[] = [];
      for await (const some of storage.decisionSearch.scan({ ...ANY_DECISION, includesTests: true }))
        rows.push(...some);
      return rows;
    },
  };
}

async function gateDecision(email: string, name = 'signup'): Promise<Decision> {
  const judgement = await judgementOf(email);
  return decide(
    { ...judgement, attempt: { ...judgement.attempt, route: name } },
    route('/signup'),
    DEFAULT_POLICY,
  );
}

/** A busy machine may need longer than the recorder waits: then it records another decision. */
async function recordInTime(recorder: DecisionRecorder, email: string, storePlain = false) {
  for (;;) {
    const decision = await gateDecision(email);
    const { isStored, decisionId } = await recorder.record(decision, storePlain);
    if (isStored) return { decisionId, requestId: decision.judgement.attempt.requestId };
  }
}

test('a decision is stored before the recorder answers, and has one line in the log', async (t) => {
  const { recorder, rows, logged, count } = await openRecorder(t);
  const { decisionId, requestId } = await recordInTime(recorder, 'medium@b.example');
  t.is(decisionId, requestId);
  const own = (await rows()).filter((row) => row.requestId === requestId);
  t.is(own.length, 1);
  t.like(own[0], { trustScore: 53, wantedAction: 'verify', action: 'verify', plain: null });
  const lines = logged().filter((line) => line.request_id === requestId);
  t.is(lines.length, 1);
  t.like(lines[0], { door: 'gate', route: 'signup', trust_score: 53, action: 'verify' });
  t.false('repeat_of' in lines[0]);
  t.true(count('decisions_total') > 0);
});

test('plain values are stored only on request', async (t) => {
  const { recorder, rows } = await openRecorder(t);
  const { requestId } = await recordInTime(recorder, 'jane@b.example', true);
  const row = (await rows()).find((one) => one.requestId === requestId);
  t.deepEqual(row?.plain, { email: 'jane@b.example', ip: '198.51.100.7', userAgent: null });
});

test('a repeated decision has the id of the stored one, in the answer and in the log', async (t) => {
  const { recorder, rows, logged } = await openRecorder(t);
  for (let n = 0; n < 3; n++) await recordInTime(recorder, 'high@b.example');
  const { decisionId, requestId } = await recordInTime(recorder, 'high@b.example');
  const ids = (await rows()).map((row) => row.requestId);
  t.is(ids.length, 3);
  t.true(ids.includes(decisionId));
  t.false(ids.includes(requestId));
  t.like(
    logged().find((line) => line.request_id === requestId),
    { repeat_of: decisionId },
  );
});

test('while the database is locked a signup continues without its record, which is written later', async (t) => {
  const { recorder, file, rows, logged, count } = await openRecorder(t);
  const other = openSqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const decision = await gateDecision('jane@b.example');
  const { requestId } = decision.judgement.attempt;
  t.deepEqual(await recorder.record(decision, false), { isStored: false, decisionId: requestId });
  other.exec('ROLLBACK');
  other.close();
  t.is(count('unrecorded_decisions_total'), 1);
  while ((await rows()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  t.is(logged().length, 1, 'the late record has no second line');
  t.is(count('decisions_total'), 1);
});

test('a storage that refuses the record is an error in the log, and the signup continues', async (t) => {
  const { recorder, storage, logged, count } = await openRecorder(t);
  await storage.close();
  const decision = await gateDecision('jane@b.example');
  const { requestId } = decision.judgement.attempt;
  t.deepEqual(await recorder.record(decision, false), { isStored: false, decisionId: requestId });
  const [problem, line] = logged();
  t.like(problem, { level: 'error', request_id: requestId, message: 'a decision could not be recorded' });
  t.like(line, { level: 'info', request_id: requestId });
  t.is(count('unrecorded_decisions_total'), 1);
});

test('names of routes are escaped in the log', async (t) => {
  const { recorder, logged } = await openRecorder(t);
  const name = 'sign "up"\\\n';
  await recorder.record(await gateDecision('jane@b.example', name), false);
  t.is(logged()[0]?.route, name);
});

test('a decision that counts against a quota is stored and logged, or neither', async (t) => {
  const { recorder, storage, rows, logged, count } = await openRecorder(t);
  const { id: accountId } = await storage.accounts.create({ name: 'shop', plan: 'hobby' });
  const owner = { accountId, keyId: 'key', test: false };
  const commit = async () =>
    recorder.commit(advise(await judgementOf('jane@b.example')), {
      owner,
      limit: 2,
      answer: null,
      storePlain: false,
    });
  t.like(await commit(), { granted: true, used: 1 });
  t.like(await commit(), { granted: true, used: 2 });
  t.like(await commit(), { granted: false, used: 2 });
  t.deepEqual([(await rows()).length, logged().length, count('decisions_total')], [2, 2, 2]);
  t.true(logged().every((line) => !('action' in line)));
});

test('decisions of test keys are counted apart', async (t) => {
  const { recorder, storage, count } = await openRecorder(t);
  const { id: accountId } = await storage.accounts.create({ name: 'shop', plan: 'hobby' });
  const owner = { accountId, keyId: 'key', test: true };
  const decision = advise(await judgementOf('high@b.example'));
  await recorder.commit(decision, { owner, limit: 1, answer: null, storePlain: false });
  t.deepEqual([count('decisions_total'), count('test_decisions_total')], [0, 1]);
});

test('a commit that cannot be stored rejects, and logs no decision', async (t) => {
  const { recorder, storage, logged, count } = await openRecorder(t);
  await storage.close();
  const owner = { accountId: 'shop', keyId: 'key', test: false };
  const decision = advise(await judgementOf('jane@b.example'));
  await t.throwsAsync(recorder.commit(decision, { owner, limit: 1, answer: null, storePlain: false }), {
    instanceOf: StorageError,
  });
  t.deepEqual([logged().length, count('decisions_total')], [0, 0]);
});
