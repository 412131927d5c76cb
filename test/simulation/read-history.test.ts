import test from 'ava';
import { csvLines } from '../../src/dashboard/csv.ts';
import { readHistory } from '../../src/simulation/read-history.ts';
import { HistoryError } from '../../src/simulation/read-lines.ts';
import { csv, HEADER, historyFile, row } from './history-file.ts';

test('a CSV file is read with its header, in any order of columns', async (t) => {
  const file = historyFile(
    t,
    'signups.csv',
    '\ufeffLabel,note, ip_address ,email,time,user_agent\r\n' +
      'fraud,"a, b",198.51.100.7,jane@example.org,2026-11-21T10:30:00Z,"Mozilla/5.0 (KHTML, like Gecko)"\r\n' +
      ',,2001:db8::1,"""j d""@example.org",2026-11-21,\r\n',
  );
  const { signups, rows, unreadable } = await readHistory(file);
  t.is(rows, 2);
  t.is(unreadable, 0);
  t.deepEqual(signups, [
    {
      line: 3,
      time: Date.UTC(2026, 10, 21),
      email: '"j d"@example.org',
      ipAddress: '2001:db8::1',
      userAgent: null,
      label: null,
    },
    {
      line: 2,
      time: Date.UTC(2026, 10, 21, 10, 30),
      email: 'jane@example.org',
      ipAddress: '198.51.100.7',
      userAgent: 'Mozilla/5.0 (KHTML, like Gecko)',
      label: 'fraud',
    },
  ]);
});

test('semicolons and tabs part fields where the header is parted by them', async (t) => {
  for (const delimiter of [';', '\t']) {
    const text = `time,email,ip_address\n2026-11-21,jane@example.org,198.51.100.7\n`.replaceAll(
      ',',
      delimiter,
    );
    t.is((await readHistory(historyFile(t, 'signups.csv', text))).signups.length, 1, delimiter);
  }
});

test('NDJSON is read line by line, blank lines passed over', async (t) => {
  const signup = { time: '2026-11-21T10:30:00Z', email: 'jane@example.org', ip_address: '198.51.100.7' };
  const lines = [
    JSON.stringify({ ...signup, user_agent: null, extra: { deep: [1] } }),
    '',
    JSON.stringify({ ...signup, label: 'legitimate', user_agent: ' ' }),
  ];
  for (const name of ['a.ndjson', 'a.jsonl', 'A.NDJSON']) {
    const { signups, rows } = await readHistory(historyFile(t, name, lines.join('\r\n')));
    t.is(rows, 2);
    t.deepEqual(
      signups.map(({ line, label, userAgent }) => ({ line, label, userAgent })),
      [
        { line: 1, label: null, userAgent: null },
        { line: 3, label: 'legitimate', userAgent: null },
      ],
    );
  }
});

test('white space around a user agent does not count', async (t) => {
  const file = historyFile(t, 'signups.csv', `${HEADER}\n${row(0).replace('curl/8', ' curl/8 ')}\n`);
  t.is((await readHistory(file)).signups[0]?.userAgent, 'curl/8');
});

test('signups are sorted by time, and those of one moment in the order of the file', async (t) => {
  const { signups } = await readHistory(
    historyFile(t, 's.csv', csv(row(30, 'c@a.de'), row(10, 'a@a.de'), row(30, 'd@a.de'), row(20, 'b@a.de'))),
  );
  t.deepEqual(
    signups.map(({ email }) => email),
    ['a@a.de', 'b@a.de', 'c@a.de', 'd@a.de'],
  );
});

test('a quoted field may hold line breaks, across chunks of the file too', async (t) => {
  const rows = Array.from(
    { length: 2_000 },
    (_, i) => `"a\r\nnote ${i}\n\n",2026-11-21,jane@example.org,198.51.100.7`,
  );
  const text = `note,time,email,ip_address\n${rows.join('\n')}`;
  const { signups, unreadable } = await readHistory(historyFile(t, 's.csv', text));
  t.is(unreadable, 0);
  t.is(signups.length, 2_000);
  t.is(signups[1]?.line, 6);
});

test('an export with its own names of columns is read as it is', async (t) => {
  const text =
    'id;Created At;E-Mail;IP;UA;is_fraud\n' +
    '1;2026-11-21 10:30:00 UTC;jane@example.org;198.51.100.7;curl/8;1\n' +
    '2;1795257001;john@example.org;198.51.100.7;;false\n';
  const expected = [
    [Date.UTC(2026, 10, 21, 10, 30), 'jane@example.org', 'curl/8', 'fraud'],
    [Date.UTC(2026, 10, 21, 10, 30, 1), 'john@example.org', null, 'legitimate'],
  ];
  const lines = [
    '{"createdAt":"2026-11-21T10:30:00Z","date":null,"mail":"jane@example.org","remote_ip":"198.51.100.7","userAgent":"curl/8","fraud":true}',
    '{"timestamp":1795257001,"email":"john@example.org","ip":"198.51.100.7","fraud":0}',
  ];
  for (const [name, content] of [
    ['s.csv', text],
    ['s.ndjson', lines.join('\n')],
  ] as const) {
    const { signups, problems } = await readHistory(historyFile(t, name, content));
    t.deepEqual(problems, []);
    t.deepEqual(
      signups.map(({ time, email, userAgent, label }) => [time, email, userAgent, label]),
      expected,
    );
  }
});

test('an export of the dashboard has an apostrophe before a formula, which is no part of the mailbox', async (t) => {
  const cells = ['2026-11-21T10:30:00.000Z', '+news@example.org', '198.51.100.7', '=cmd', ''];
  const file = historyFile(t, 'a.csv', csvLines([HEADER.replace('time', 'processed_at').split(','), cells]));
  const { signups } = await readHistory(file);
  t.like(signups[0], { email: '+news@example.org', userAgent: '=cmd' });
  const typed = historyFile(t, 'b.csv', csv(row(1, "'o.hara@example.org")));
  t.is((await readHistory(typed)).signups[0]?.email, "'o.hara@example.org");
});

test('two columns for one field are refused by name, until one is chosen', async (t) => {
  const file = historyFile(
    t,
    's.csv',
    'created_at,timestamp,mail,ip\n2026-11-21,2020-01-01,jane@example.org,198.51.100.7\n',
  );
  const error = await t.throwsAsync(readHistory(file), { instanceOf: HistoryError });
  t.is(
    error.message,
    'created_at and timestamp may both be time. Choose one, such as --columns time=created_at.',
  );
  const { signups } = await readHistory(file, new Map([['time', 'timestamp']]));
  t.is(signups[0]?.time, Date.UTC(2020, 0, 1));
  const row = '{"created_at":"2026-11-21","timestamp":"2026-11-21","email":"a@b.de","ip":"198.51.100.7"}';
  const { problems } = await readHistory(historyFile(t, 's.ndjson', row));
  t.is(problems[0]?.problem, 'created_at and timestamp may both be time: choose one with --columns');
});

test('a chosen column that the file lacks is named', async (t) => {
  const file = historyFile(t, 's.csv', csv(row(1)));
  const error = await t.throwsAsync(readHistory(file, new Map([['time', 'when']])));
  t.is(error?.message, 'The header has no column when.');
});

for (const [name, content, says] of [
  ['s.csv', '', /empty/],
  ['s.csv', 'email,ip_address\n', /lacks time\./],
  ['s.csv', 'a;b\n1;2\n', /lacks time, email, ip_address/],
  ['s.csv', 'time,email,ip_address,email\n', /email occurs twice\. Rename one of the two columns\.$/],
  ['s.csv', 'x'.repeat(70_000), /header is longer/],
  ['s.txt', 'time,email,ip_address\n', /must end in \.csv/],
] as const) {
  test(`${name} of ${content.length} characters that is no history says so: ${says}`, async (t) => {
    const error = await t.throwsAsync(readHistory(historyFile(t, name, content)), {
      instanceOf: HistoryError,
    });
    t.regex(error.message, says);
  });
}

test('a header alone is a history of nothing', async (t) => {
  t.deepEqual(await readHistory(historyFile(t, 's.csv', HEADER)), {
    signups: [],
    rows: 0,
    unreadable: 0,
    problems: [],
  });
});
