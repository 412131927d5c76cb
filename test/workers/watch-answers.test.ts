import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { watchAnswers } from '../../src/workers/watch-answers.ts';
import { until } from '../helpers/until.ts';

/** A worker that answers or is silent. */
function createWorker() {
  const state = { asked: 0, isSilent: false, release: () => {} };
  const call = () => {
    state.asked++;
    return state.isSilent
      ? new Promise<never>((resolve) => {
          state.release = resolve as () => void;
        })
      : Promise.resolve(undefined as never);
  };
  return { state, worker: { call } };
}

const TIMES = { everyMs: 5, patienceMs: 60 };

test('a worker that answers is asked again and again, and never reported', async (t) => {
  const { state, worker } = createWorker();
  const end = watchAnswers(worker, () => t.fail(), TIMES);
  await until(() => state.asked > 20);
  end();
  const before = state.asked;
  await wait(30);
  t.is(state.asked, before);
});

test('a worker that is silent is reported once', async (t) => {
  const { state, worker } = createWorker();
  state.isSilent = true;
  let reports = 0;
  watchAnswers(worker, () => reports++, TIMES);
  await until(() => reports > 0);
  await wait(100);
  t.is(reports, 1);
  t.is(state.asked, 1);
});

test('a late answer in time is an answer', async (t) => {
  const { state, worker } = createWorker();
  state.isSilent = true;
  const end = watchAnswers(worker, () => t.fail(), { everyMs: 5, patienceMs: 60_000 });
  await until(() => state.asked === 1);
  state.isSilent = false;
  state.release();
  await until(() => state.asked > 3);
  end();
  t.pass();
});

test('a pause of this process is no silence of the worker', async (t) => {
  const { state, worker } = createWorker();
  state.isSilent = true;
  let isReported = false;
  const end = watchAnswers(worker, () => (isReported = true), { everyMs: 20, patienceMs: 200 });
  await until(() => state.asked === 1);
  const wokenAt = performance.now() + 400;
  while (performance.now() < wokenAt);
  // The answer came during the pause and is read now.
  state.isSilent = false;
  state.release();
  await until(() => state.asked > 1);
  t.false(isReported);
  end();
});
