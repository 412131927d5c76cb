import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findLogDamage } from '../../../src/storage/engine/write-ahead-log.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { NOON } from '../decisions/decision-fixture.ts';

const HEADER_BYTES = 32;
/** The head of a frame and a page of a new database. */
const FRAME_BYTES = 24 + 8_192;
const ACCOUNTS = 12;

/** A database as `kill -9` leaves it: with a log that holds commits, and no process that has it open. */
async function leaveDatabase(t: ExecutionContext): Promise<string> {
  const folder = temporaryFolder(t);
  const file = join(folder, 'open.db');
  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  for (let i = 0; i < ACCOUNTS; i++) await records.accounts.create({ name: `account ${i}`, plan: 'hobby' });
  const left = join(folder, 'left.db');
  copyFileSync(file, left);
  copyFileSync(`${file}-wal`, `${left}-wal`);
  await records.close();
  return left;
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(file, bytes);
}

async function reopen(file: string) {
  const said: object[] = [];
  const log = { error: (facts: object, message: string) => void said.push({ ...facts, message }) };
  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON, log });
  const accounts = await records.accounts.page({ after: null, limit: 100, text: null });
  await records.close();
  return { said, accounts: accounts.length };
}

test('a whole log is read without a word', async (t) => {
  const file = await leaveDatabase(t);
  t.true(statSync(`${file}-wal`).size > HEADER_BYTES + ACCOUNTS * FRAME_BYTES);
  t.is(await findLogDamage(file), null);
  t.deepEqual(await reopen(file), { said: [], accounts: ACCOUNTS });
});

test('a database without a log, and an empty log, have no damage', async (t) => {
  const file = await leaveDatabase(t);
  writeFileSync(`${file}-wal`, '');
  t.is(await findLogDamage(file), null);
  t.is(await findLogDamage(join(file, '..', 'nothing.db')), null);
});

test('a log whose end is torn lost nothing that was committed', async (t) => {
  const file = await leaveDatabase(t);
  truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 100);
  t.is(await findLogDamage(file), null);
});

test('a flipped bit anywhere in the log is either harmless or reported with what it costs', async (t) => {
  const original = await leaveDatabase(t);
  const { size } = statSync(`${original}-wal`);
  const lastFrameAt = size - FRAME_BYTES;
  // The checksum field of the header, the parts of a frame's head, and pages all over the log.
  const places = [0, 9, 17, 25, HEADER_BYTES + 2, HEADER_BYTES + 9, HEADER_BYTES + 17, HEADER_BYTES + 24];
  for (let at = 5 * FRAME_BYTES; at < lastFrameAt; at += 3 * FRAME_BYTES + 977) places.push(at);
  for (const at of places) {
    const file = `${original}-${at}`;
    copyFileSync(original, file);
    copyFileSync(`${original}-wal`, `${file}-wal`);
    flip(`${file}-wal`, at);
    const { said, accounts } = await reopen(file).catch((error: Error) => ({
      said: [{ message: error.message }],
      accounts: 0,
    }));
    if (accounts < ACCOUNTS) {
      t.is(said.length, 1, `byte ${at}`);
      t.regex(JSON.stringify(said), /damaged/, `byte ${at}`);
    }
  }
});

test('frames of an earlier use of the log are not taken for lost commits', async (t) => {
  const file = await leaveDatabase(t);
  const wal = readFileSync(`${file}-wal`);
  // After a checkpoint, SQLite writes over the log from its start, with other salts.
  const frameAt = HEADER_BYTES + 6 * FRAME_BYTES;
  for (let at = frameAt; at < wal.length; at += FRAME_BYTES) wal.writeUInt32BE(7, at + 8);
  writeFileSync(`${file}-wal`, wal);
  t.is(await findLogDamage(file), null);
});
