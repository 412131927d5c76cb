import test from 'ava';
import { awaitStorage, startWithStorage } from '../../src/storage/await-storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import {
  StorageAwayError,
  StorageBusyError,
  StorageError,
  StorageInDoubtError,
} from '../../src/storage/storage-error.ts';
import { startScramServer } from '../helpers/scram-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { startUntrustedPostgres } from '../helpers/untrusted-postgres.ts';

/** No server listens there. */
const AWAY = 'postgres://gatekeeper:hunter2@127.0.0.1:1/none';

function logTo(lines: object[]) {
  return { warn: (facts: object, message: string) => lines.push({ ...facts, message }) };
}

test('a start gives up on a database that stays away, and has said that it waits, without the password', async (t) => {
  const lines: object[] = [];
  const opening = awaitStorage(() => openStorage({ url: AWAY, clock: Date.now }), {
    log: logTo(lines),
    patienceMs: 1_000,
  });
  await t.throwsAsync(opening, { instanceOf: StorageAwayError, message: /127\.0\.0\.1:1\/none/ });
  t.is(lines.length, 1);
  t.like(lines[0], { message: 'the start waits for the database', left_s: 1 });
  t.notRegex(JSON.stringify(lines), /hunter2/);
});

test('a start that waits for its database ends at a signal', async (t) => {
  const stopping = new AbortController();
  const opening = awaitStorage(() => openStorage({ url: AWAY, clock: Date.now }), {
    log: { warn: () => stopping.abort(new Error('a signal')) },
    stop: stopping.signal,
  });
  await t.throwsAsync(opening, { message: 'a signal' });
});

test('a start takes the database as soon as it answers', async (t) => {
  const url = `sqlite:${temporaryFolder(t)}/gatekeeper.db`;
  const urls = [AWAY, AWAY, url];
  const lines: object[] = [];
  const storage = await awaitStorage(() => openStorage({ url: urls.shift() ?? url, clock: Date.now }), {
    log: logTo(lines),
  });
  t.teardown(() => storage.close());
  await t.notThrowsAsync(storage.ping());
  t.is(urls.length, 0);
  t.is(lines.length, 1);
});

test('a start does not wait for what only an operator can mend', async (t) => {
  let tries = 0;
  const opening = awaitStorage(
    () => {
      tries++;
      return openStorage({ url: 'mysql://127.0.0.1/none', clock: Date.now });
    },
    { log: logTo([]) },
  );
  await t.throwsAsync(opening, { instanceOf: StorageError });
  t.is(tries, 1);
});

test('a start does not wait for a certificate that it cannot verify', async (t) => {
  const { port } = await startUntrustedPostgres(t);
  const url = `postgres://gatekeeper:hunter2@127.0.0.1:${port}/none?sslmode=verify-full`;
  const lines: object[] = [];
  const log = logTo(lines);
  const open = () => awaitStorage(() => openStorage({ url, clock: Date.now }), { log });
  const starting = startWithStorage(open, { log });
  await t.throwsAsync(starting, { instanceOf: StorageAwayError, message: /add sslrootcert=/ });
  t.deepEqual(lines, []);
});

test('a start without the password that the server wants ends at once, and leaves no connection', async (t) => {
  const server = await startScramServer(t);
  const url = `postgres://gatekeeper@127.0.0.1:${server.port}/none`;
  const lines: object[] = [];
  const opening = awaitStorage(() => openStorage({ url, clock: Date.now }), { log: logTo(lines) });
  await t.throwsAsync(opening, { message: /refuses this user .*password/ });
  t.deepEqual(lines, []);
  await until(() => server.open.size === 0);
});

test('a start begins again when the database goes away in the middle of it', async (t) => {
  const failures = [
    new StorageAwayError('away'),
    new StorageInDoubtError('cut'),
    new StorageBusyError('no connection is free'),
  ];
  const lines: object[] = [];
  const start = async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'started';
  };
  t.is(await startWithStorage(start, { log: logTo(lines) }), 'started');
  t.is(lines.length, 3);
});

test('a start that never succeeds gives up, and another error ends it at once', async (t) => {
  const away = new StorageAwayError('away');
  const starting = startWithStorage(() => Promise.reject(away), { log: logTo([]), patienceMs: 700 });
  t.is(await t.throwsAsync(starting), away);
  const damaged = new StorageError('of a newer version');
  const lines: object[] = [];
  t.is(await t.throwsAsync(startWithStorage(() => Promise.reject(damaged), { log: logTo(lines) })), damaged);
  t.deepEqual(lines, []);
});
