import { createReadStream } from 'node:fs';
import test from 'ava';
import { HistoryError, type Line, MAX_LINE_BYTES, readLines } from '../../src/simulation/read-lines.ts';
import { historyFile } from './history-file.ts';

async function linesOf(file: string): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const batch of readLines(createReadStream(file))) lines.push(...batch);
  return lines;
}

const textsOf = (lines: readonly Line[]) => lines.map(({ text }) => text);

test('lines end with a line feed, with a carriage return before it, or with the file', async (t) => {
  const lines = await linesOf(historyFile(t, 'h', 'a\nb\r\n\nlast'));
  t.deepEqual(textsOf(lines), ['a', 'b', '', 'last']);
  t.deepEqual(
    lines.map(({ number }) => number),
    [1, 2, 3, 4],
  );
});

test('an empty file has no lines', async (t) => {
  t.deepEqual(await linesOf(historyFile(t, 'h', '')), []);
});

test('a byte order mark is dropped at the start alone', async (t) => {
  t.deepEqual(textsOf(await linesOf(historyFile(t, 'h', '\ufeffa\n\ufeffb'))), ['a', '\ufeffb']);
});

test('UTF-16 is refused by name', async (t) => {
  const error = await t.throwsAsync(linesOf(historyFile(t, 'h', Buffer.from('\ufefftime', 'utf16le'))), {
    instanceOf: HistoryError,
  });
  t.regex(error.message, /UTF-8/);
});

test('a line that is not UTF-8 is reported and the next one read', async (t) => {
  const lines = await linesOf(historyFile(t, 'h', Buffer.from([0x61, 0x0a, 0xff, 0x0a, 0x62])));
  t.deepEqual(textsOf(lines), ['a', null, 'b']);
  t.is(lines[1]?.problem, 'not UTF-8');
});

test('a line across many chunks is read whole up to the bound and reported beyond it', async (t) => {
  const longest = 'é'.repeat(MAX_LINE_BYTES / 2);
  const lines = await linesOf(
    historyFile(t, 'h', `${'x'.repeat(60_000)}\n${longest}\n${longest}x\n${'y'.repeat(1_000_000)}\nlast`),
  );
  t.deepEqual(textsOf(lines), ['x'.repeat(60_000), longest, null, null, 'last']);
  t.regex(lines[3]?.problem ?? '', /^longer than/);
});
