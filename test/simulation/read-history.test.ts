import test from 'ava';
import { readHistory } from '../../src/simulation/read-history.ts';
import { HistoryError } from '../../src/simulation/read-lines.ts';
import { historyFile } from './history-file.ts';

const HEADER = 'time,email,ip_address,user_agent,label';
const csv = (...rows: readonly string[]) => [HEADER, ...rows, ''].join('\n');
const row = (second: number, email = 'jane@example.org') =>
  `2026-11-21T10:30:${String(second).padStart(2, '0')}Z,${email},198.51.100.7,curl/8,`;

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

test('every mistake of a row is reported, with its line and without quoting it', async (t) => {
  const { rows, unreadable, problems } = await readHistory(
    historyFile(
      t,
      's.csv',
      csv(
        row(1),
        'secret-time,secret-mail,secret-ip,,secret-label',
        '2026-11-21, jane@example.org,,',
        `2026-11-21,jane@example.org,198.51.100.7,${'x'.repeat(2_049)},`,
        '2026-11-21,jane@example.org,198.51.100.7,Mozilla (KHTML, like Gecko) x,fraud',
        row(2),
      ),
    ),
  );
  t.is(rows, 6);
  t.is(unreadable, 4);
  t.deepEqual(problems, [
    {
      line: 3,
      problem:
        'time must be an ISO 8601 time such as 2026-11-21T10:30:00Z; email must be one mailbox such as name@example.org; ip_address must be an IPv4 or IPv6 address; label must be legitimate, fraud or empty',
    },
    { line: 4, problem: 'ip_address is missing' },
    { line: 5, problem: 'user_agent must be a text of at most 2048 characters' },
    { line: 6, problem: '6 fields where the header has 5: put quotes around a field with commas' },
  ]);
});

test('a field with the delimiter of the file needs quotes, and is named so', async (t) => {
  const text =
    'time;email;ip_address;user_agent\n2026-11-21;jane@example.org;198.51.100.7;Mozilla (X11; Linux) x\n';
  const { problems } = await readHistory(historyFile(t, 's.csv', text));
  t.is(problems[0]?.problem, '5 fields where the header has 4: put quotes around a field with semicolons');
});

test('rows of NDJSON that the API would refuse are unreadable', async (t) => {
  const good = '"time":"2026-11-21","ip_address":"198.51.100.7"';
  const lines = [
    '{"time":',
    '[]',
    'null',
    `{${good},"email":"a@b.de","email":"c@d.de"}`,
    `{${good},"email":["a@b.de"]}`,
    `{"time":46347.4375,"email":"a@b.de","ip_address":"198.51.100.7"}`,
    `{${good},"email":"a@b.de","label":true}`,
    `{${good},"email":"a@b.de","user_agent":5}`,
    `{${good},"email":"a@b.de","label":"spam"}`,
  ];
  const { rows, unreadable, problems } = await readHistory(historyFile(t, 's.ndjson', lines.join('\n')));
  t.is(rows, lines.length);
  t.is(unreadable, lines.length);
  t.deepEqual(
    problems.map(({ line }) => line),
    lines.map((_, i) => i + 1),
  );
});

test('a stray quote costs one row, at any place', async (t) => {
  const stray = [
    '2026-11-21,"jane@example.org,198.51.100.7,,',
    '2026-11-21,ja"ne@example.org,198.51.100.7,,',
    '2026-11-21,"ja"ne@example.org,198.51.100.7,,',
  ];
  for (const broken of stray) {
    for (const quoted of ['', '"curl/8"']) {
      const after = Array.from({ length: 300 }, (_, i) => row(i % 60).replace('curl/8', quoted));
      const { signups, unreadable, problems } = await readHistory(
        historyFile(t, 's.csv', csv(row(1), broken, ...after)),
      );
      t.is(signups.length, 301, broken);
      t.is(unreadable, 1, broken);
      t.is(problems[0]?.line, 3, broken);
    }
  }
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

test('of many unreadable rows the first are reported and all counted', async (t) => {
  const { rows, unreadable, problems } = await readHistory(
    historyFile(t, 's.csv', csv(...Array.from({ length: 5_000 }, () => 'x'))),
  );
  t.is(rows, 5_000);
  t.is(unreadable, 5_000);
  t.is(problems.length, 20);
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
