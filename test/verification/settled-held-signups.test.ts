import test from 'ava';
import { StorageAwayError, StorageError, StorageInDoubtError } from '../../src/storage/storage-error.ts';
import { until } from '../helpers/until.ts';
import { startVerification, submitJson, type TestVerification } from './verification-server.ts';

type Call = 'hold' | 'claim' | 'tryCode' | 'claimToCorrect' | 'release' | 'finish';

/** The next calls fail: before they write, or after it. */
function failNext(
  { records: { heldSignups } }: TestVerification,
  call: Call,
  { error, isWritten = false, times = 1 }: { error: Error; isWritten?: boolean; times?: number },
): { failures: number } {
  const works = heldSignups[call] as (...of: unknown[]) => Promise<unknown>;
  const seen = { failures: 0 };
  Object.assign(heldSignups, {
    async [call](...of: unknown[]) {
      if (seen.failures === times) return works(...of);
      seen.failures += 1;
      if (isWritten) await works(...of);
      throw error;
    },
  });
  return seen;
}

const IN_DOUBT = new StorageInDoubtError('The connection ended before its answer.');
const AWAY = new StorageAwayError('The database does not answer.');

for (const isWritten of [true, false]) {
  const title = isWritten ? 'was written' : 'was not written';

  test(`a confirmation in doubt that ${title} is 503, and the same code and link work afterwards`, async (t) => {
    for (const [call, by] of [
      ['tryCode', 'code'],
      ['claim', 'link'],
    ] as const) {
      const server = await startVerification(t);
      const { path, linkPath, code } = await server.holdAndMail();
      const confirm = () =>
        by === 'code' ? submitJson(server, path, { code }) : submitJson(server, linkPath, {});
      failNext(server, call, { error: IN_DOUBT, isWritten });
      const failed = await confirm();
      t.is(failed.status, 503);
      t.is(failed.headers.get('retry-after'), '5');
      await until(async () => (await confirm()).status === 201);
      t.is(server.replays.length, 1);
    }
  });

  test(`an accepted suggestion in doubt that ${title} can be accepted again`, async (t) => {
    const server = await startVerification(t);
    const { path } = await server.holdAndMail('jane@gmial.com', { suggestion: 'jane@gmail.com' });
    const accept = () => submitJson(server, path, { action: 'use_suggestion' });
    failNext(server, 'claimToCorrect', { error: IN_DOUBT, isWritten });
    t.is((await accept()).status, 503);
    await until(async () => (await accept()).status === 201);
    t.is(server.corrections.length, 1);
  });

  test(`a signup in doubt that ${title} is not held: its sender got an error`, async (t) => {
    const server = await startVerification(t, { verification: { max_held: 1 } });
    failNext(server, 'hold', { error: IN_DOUBT, isWritten });
    await t.throwsAsync(server.hold(), { name: 'StorageFailure' });
    await until(async () => (await server.hold()).kind === 'held');
  });
}

for (const [title, error] of [
  ['do not answer', AWAY],
  ['have no room', new StorageError('The disk is full.')],
  ['leave a doubt', IN_DOUBT],
] as const) {
  test(`a signup that did not reach the app can be confirmed again, also when the records ${title} then`, async (t) => {
    const server = await startVerification(t);
    const { path, code } = await server.holdAndMail();
    const seen = failNext(server, 'release', { error, times: 2 });
    server.outcome = 'unreachable';
    const unreachable = await submitJson(server, path, { code });
    t.is(unreachable.status, 502);
    t.like(await unreachable.json(), { code: 'bad_gateway' });
    server.outcome = 'answered';
    await until(async () => (await submitJson(server, path, { code })).status === 201);
    t.is(seen.failures, 2);
    t.is(server.replays.length, 2);
  });
}

test('the content of a signup is deleted later when the records do not answer after the app did', async (t) => {
  const server = await startVerification(t);
  const { path, code, requestId } = await server.holdAndMail();
  failNext(server, 'finish', { error: AWAY });
  t.is((await submitJson(server, path, { code })).status, 201);
  await until(() =>
    server.logLines.some((line) => line.includes('written later') && line.includes(requestId)),
  );
  t.is((await submitJson(server, path, { code })).status, 410);
  t.is(server.replays.length, 1);
});
