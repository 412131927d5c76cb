import test from 'ava';
import { HistoryError } from '../../../src/simulation/read-lines.ts';
import { peekColumns } from '../../../src/simulation/upload/peek-columns.ts';

const ROW = '2026-06-01T10:00:00Z,jane.doe@gmail.com,2.125.160.216,1';
const FILE = `created_at,mail,ip,is_fraud\n${ROW}\n`;

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const peek = (content: string | Buffer, size = 7) => peekColumns(inPieces(Buffer.from(content), size));

test('the columns are recognised, and their values are masked', async (t) => {
  const { columns, found } = await peek(FILE);
  t.deepEqual(
    [...found.places],
    [
      ['time', 0],
      ['email', 1],
      ['ip_address', 2],
      ['label', 3],
    ],
  );
  t.deepEqual(
    columns.map(({ examples }) => examples),
    [['2026-06-01T10:00:00Z'], ['j•••@gmail.com'], ['2.125.•••'], ['1']],
  );
});

test('semicolons, tabs and a byte order mark make no difference, nor do unknown names', async (t) => {
  for (const [delimiter, mark] of [
    [';', ''],
    ['\t', '\ufeff'],
    [',', '\ufeff'],
  ] as const) {
    const { found } = await peek(mark + FILE.replaceAll(',', delimiter));
    t.is(found.places.size, 4, delimiter);
    const { columns } = await peek(
      mark + FILE.replace('created_at,mail,ip,is_fraud', 'Wann,Wer,Wo,Was').replaceAll(',', delimiter),
    );
    t.deepEqual(
      columns.map(({ name }) => name),
      ['Wann', 'Wer', 'Wo', 'Was'],
    );
  }
});

test('at most three different values of a column are shown, of the first rows', async (t) => {
  const rows = Array.from({ length: 90_000 }, (_, i) => `2026-06-01,a${i % 5}@x${i}.example,::1,\n`);
  const { columns } = await peek(`time,email,ip_address,label\n${rows.join('')}`, 65_536);
  t.is(columns[1]?.examples.length, 3);
  t.deepEqual(columns[3]?.examples, []);
});

const UTF_16 = Buffer.from(FILE, 'utf16le');
for (const [what, content, says] of [
  ['empty', '', /empty/],
  ['a header alone', 'time,email,ip_address\n', /no signup below it/],
  ['a header and blank lines', 'time,email,ip_address\n\n  \n', /no signup below it/],
  ['without a header', `${ROW}\n${ROW}\n`, /first line is a signup and no header/],
  ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF_16]), /UTF-16.*CSV UTF-8/],
  ['UTF-16 without a mark', UTF_16, /UTF-16.*CSV UTF-8/],
  ['a Latin-1 header', Buffer.from(FILE.replace('mail', 'Größe'), 'latin1'), /Latin-1.*CSV UTF-8/],
  ['a workbook', Buffer.from('PK\u0003\u0004 and so on'), /workbook or an archive/],
  ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), /Unpack it/],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /no text file/],
  ['JSON', '{"time": 1}\n', /looks like JSON/],
  [
    'ten thousand columns',
    `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n1\n`,
    /10000 columns/,
  ],
  ['a very long header', `${'x'.repeat(200_000)}\n1\n`, /longer than 65536 bytes/],
  ['a file without a line break', 'x'.repeat(300_000), /longer than 65536 bytes/],
  ['a quote that never closes', `time,"email,ip_address\n${ROW}\n`, /quote in the first line/],
  ['one column', 'email\na@b.example\n', /fewer than three columns/],
] as const) {
  test(`a file that cannot be simulated says what to do: ${what}`, async (t) => {
    for (const size of [3, 65_536]) {
      const error = await t.throwsAsync(peek(content, size), { instanceOf: HistoryError });
      t.regex(error.message, says);
    }
  });
}
