import test from 'ava';
import { readHistory } from '../../src/simulation/read-history.ts';
import { csv, historyFile, row } from './history-file.ts';

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

test('of many unreadable rows the first are reported and all counted', async (t) => {
  const { rows, unreadable, problems } = await readHistory(
    historyFile(t, 's.csv', csv(...Array.from({ length: 5_000 }, () => 'x'))),
  );
  t.is(rows, 5_000);
  t.is(unreadable, 5_000);
  t.is(problems.length, 20);
});
