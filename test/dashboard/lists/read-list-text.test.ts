import test from 'ava';
import { readListText } from '../../../src/dashboard/lists/read-list-text.ts';

const defaults = { list: 'deny', note: 'from a test', expiresAt: null } as const;
const read = (text: string) => readListText(text, defaults);

test('each line is an entry with a note after #; comments and blank lines are skipped', async (t) => {
  const { requests, lines, issues } = await read(
    '\uFEFF# bad ones\r\nbad.example\n\n  203.0.113.0/24  # a wave # two\n#AS1\r AS64500#1',
  );
  t.deepEqual(issues, []);
  t.deepEqual(lines, [2, 4, 6]);
  t.deepEqual(
    requests.map(({ subject, note }) => [subject, note]),
    [
      [{ text: 'bad.example' }, 'from a test'],
      [{ text: '203.0.113.0/24' }, 'a wave # two'],
      [{ text: 'AS64500#1' }, 'from a test'],
    ],
  );
});

test('CSV is known by its header, in any order of columns and with any common delimiter', async (t) => {
  for (const delimiter of [',', ';', '\t']) {
    const text = [
      ['Note', 'ENTRY', 'more', 'ends', 'list'],
      ['"quoted ""once"""', 'bad.example', 'x', '2027-01-31', 'deny'],
      ['', 'good.example', '', '2027-01-31T12:30Z', 'Allow'],
      ["'=1", "'=x@y.example", '', '', ''],
    ]
      .map((fields) => fields.join(delimiter))
      .join('\n');
    const { requests, lines, issues } = await read(text);
    t.deepEqual(issues, []);
    t.deepEqual(lines, [2, 3, 4]);
    t.deepEqual(requests, [
      {
        list: 'deny',
        subject: { text: 'bad.example' },
        note: 'quoted "once"',
        expiresAt: Date.parse('2027-01-31'),
      },
      {
        ...defaults,
        list: 'allow',
        subject: { text: 'good.example' },
        expiresAt: Date.parse('2027-01-31T12:30Z'),
      },
      { ...defaults, subject: { text: '=x@y.example' }, note: '=1' },
    ]);
  }
});

test('the exported form of a decision’s mailbox is read again', async (t) => {
  const { requests } = await read('entry\npseudonym:abcdefghijklmnopqrstuv');
  t.deepEqual(requests[0]?.subject, { mailboxPseudonym: 'abcdefghijklmnopqrstuv' });
});

test('every invalid line is reported by its number, and the other lines are read', async (t) => {
  const { requests, issues } = await read(
    'list,entry,ends\nblock,a.example,\ndeny,"b.example,\ndeny,c.example,tomorrow\ndeny,d.example,2027-13-45\nallow,e.example,',
  );
  t.deepEqual(
    issues.map(({ line }) => line),
    [2, 3, 4, 5],
  );
  t.regex(issues[0]?.message ?? '', /"allow" or "deny", not "block"/);
  t.regex(issues[1]?.message ?? '', /quotes/);
  t.regex(issues[2]?.message ?? '', /"tomorrow" is not a time\. Write 2027-01-31/);
  t.is(requests.length, 1);
});

test('every line that is too long is reported', async (t) => {
  const long = 1_000_000;
  for (const filling of ['x', ',', '"', ' ', ',"', '# ']) {
    const text = `a.example\nb${filling.repeat(long / filling.length)}c`;
    const { requests, issues } = await read(text);
    t.is(requests.length, 1);
    t.like(issues, [{ line: 2, message: `The line has ${long + 2} characters. The limit is 2000.` }]);
  }
  t.is((await read(`entry,${','.repeat(long)}`)).issues.length, 1);
});

test('no more lines are read than can be added', async (t) => {
  const { requests } = await read('a.example\n'.repeat(300_000));
  t.is(requests.length, 5_001);
});

test('a long list does not block other requests', async (t) => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `d${i}.example,"a ""note"", ${i}"`);
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { requests } = await read(`entry,note\n${rows.join('\n')}`);
  clearImmediate(timer);
  t.is(requests.length, 5_000);
  t.true(turns >= 40, `${turns} turns of the event loop`);
});
