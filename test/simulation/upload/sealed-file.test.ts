import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { HistoryError } from '../../../src/simulation/read-lines.ts';
import { KEPT_MS, MAX_FILE_BYTES, openSealed, sealFile } from '../../../src/simulation/upload/sealed-file.ts';

const NOW = Date.now();
const CONTENT = Buffer.from('jane.doe@gmail.com '.repeat(10_000));

async function* inPieces(bytes: Buffer, size = 10_007) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(token: string, owner: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of openSealed(token, owner)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pathOf = (token: string) => join(tmpdir(), token.slice(0, token.indexOf('.')));

test.serial('a file comes back whole to its owner, and the disk has no word of it', async (t) => {
  const token = await sealFile(inPieces(CONTENT), { owner: 'anna', clock: () => NOW });
  t.deepEqual(await read(token, 'anna'), CONTENT);
  t.false(readFileSync(pathOf(token)).includes('jane'));
  await t.throwsAsync(read(token, 'bert'), { instanceOf: HistoryError, message: /Upload it again/ });
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`.replace(/.{3}$/, 'AAA');
  await t.throwsAsync(read(other, 'anna'), { instanceOf: HistoryError });
  const stored = readFileSync(pathOf(token));
  stored[5] = (stored[5] ?? 0) ^ 1;
  writeFileSync(pathOf(token), stored);
  await t.throwsAsync(read(token, 'anna'), { instanceOf: HistoryError });
  await sealFile(inPieces(Buffer.alloc(0)), { owner: 'anna', clock: () => NOW + KEPT_MS }).then((empty) =>
    t.notThrowsAsync(read(empty, 'anna')),
  );
  t.false(existsSync(pathOf(token)), 'the next upload deletes what has ended');
  await t.throwsAsync(read(token, 'anna'), { instanceOf: HistoryError, message: /15 minutes/ });
});

test.serial('a token names no other file', async (t) => {
  for (const token of [
    '',
    'x',
    '../../etc/passwd',
    `gatekeeper-upload-1780000000000-../x.${'A'.repeat(43)}`,
  ]) {
    await t.throwsAsync(read(token, 'anna'), { instanceOf: HistoryError });
  }
});

test.serial('a file that is too large, and one that breaks off, leave nothing behind', async (t) => {
  const before = new Set(readdirSync(tmpdir()));
  const huge = async function* () {
    for (let bytes = 0; bytes <= MAX_FILE_BYTES; bytes += 1_000_000) yield Buffer.alloc(1_000_000);
  };
  const clock = () => NOW + 3 * KEPT_MS;
  await t.throwsAsync(sealFile(huge(), { owner: 'anna', clock }), {
    instanceOf: HistoryError,
    message: /larger than 50 MB/,
  });
  const broken = async function* () {
    yield CONTENT;
    throw new Error('away');
  };
  await t.throwsAsync(sealFile(broken(), { owner: 'anna', clock }), { message: 'away' });
  const left = readdirSync(tmpdir()).filter(
    (name) => name.startsWith('gatekeeper-upload-') && !before.has(name),
  );
  t.deepEqual(left, []);
});
