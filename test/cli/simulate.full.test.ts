import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { simulate } from '../../src/cli/simulate.ts';
import { gatekeeper } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Context = Parameters<typeof temporaryFolder>[0];

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36';
const CSV = `time,email,ip_address,user_agent,label
2026-06-01T10:00:00Z,jane.doe@gmail.com,2.125.160.216,"${CHROME}",legitimate
2026-06-01T10:01:00Z,x8k2q@mailinator.com,2.125.160.217,"${CHROME}",fraud
not a row
2026-06-01T10:02:00Z,info@acme-consulting.de,2.125.160.218,"${CHROME}",
`;
const OTHER = 'lists: {allow: [mailinator.com], deny: [gmail.com]}\n';

function folderWith(t: Context, files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

test('simulate --json prints rows, unreadable rows, levels and reasons, and nothing else', async (t) => {
  const folder = folderWith(t, { 'signups.csv': CSV });
  const { code, stdout, stderr } = await gatekeeper(folder, 'simulate', 'signups.csv', '--json');
  t.is(code, 0);
  t.deepEqual(JSON.parse(stdout), {
    rows: 4,
    unreadable: 1,
    levels: { low: 2, medium: 0, high: 1 },
    reasons: {
      normal_velocity: 3,
      residential_ip: 3,
      standard_browser: 3,
      disposable_email: 1,
      personal_email: 1,
      role_email: 1,
    },
    verdict: {
      sentence: 'Stops 1 of 1 known fraud; would hurt 0 of 1 legitimate person.',
      fraud: { known: 1, stopped: 1, refused: 1, sent_to_verification: 0, interval: [0.206543, 1] },
      legitimate: { known: 1, hurt: 0, refused: 0, sent_to_verification: 0, interval: [0, 0.793457] },
    },
  });
  t.regex(stderr, /^Line 4: time must be an ISO 8601 time .*email is missing; ip_address is missing\.$/m);
  t.false(existsSync(join(folder, 'data')), 'nothing is stored');
});

test('simulate --against says what changes, in the table, as JSON and in the report', async (t) => {
  const folder = folderWith(t, { 'signups.csv': CSV, '<b>other.yaml': OTHER });
  const args = ['simulate', 'signups.csv', '--against', '<b>other.yaml', '--report', 'report.html'];
  const table = await gatekeeper(folder, ...args);
  t.is(table.code, 0, table.stderr);
  t.true(
    table.stdout.startsWith(
      'Verdict: now → <b>other.yaml\nStops 1 → 0 of 1 known fraud; would hurt 0 → 1 of 1 legitimate person.\n',
    ),
  );
  t.regex(table.stdout, /^3 signups from 2026-06-01 10:00 to 2026-06-01 10:02 UTC/m);
  t.regex(table.stdout, /Higher risk level: 1, lower risk level: 1\./);
  t.regex(table.stdout, /Of 1 labelled fraud: 0 get a higher risk level, 1 a lower one\./);
  const { against } = JSON.parse((await gatekeeper(folder, ...args, '--json')).stdout);
  t.deepEqual(against.levels, { low: 2, medium: 0, high: 1 });
  t.deepEqual(against.changed, { stricter: 1, milder: 1 });
  t.is(against.matrix.low.high, 1);
  t.is(against.labelled.fraud.high.low, 1);
  t.is(against.reasons.denylisted_email, 1);
  t.is(against.verdict.sentence, 'Stops 0 of 1 known fraud; would hurt 1 of 1 legitimate person.');
  const report = readFileSync(join(folder, 'report.html'), 'utf8');
  t.true(report.includes('&lt;b&gt;other.yaml'));
  t.false(report.includes('<b>'));
  t.true(report.indexOf('Stops 1 → 0 of 1 known fraud') < report.indexOf('Risk levels'));
  t.true(report.includes('x8k2q@mailinator.com'));
  t.notRegex(report, /<script|\son\w+=|https?:/);
});

test('NDJSON gives the same as CSV, and --config the policy', async (t) => {
  const rows = ['jane.doe@gmail.com', 'x8k2q@mailinator.com'].map((email, i) =>
    JSON.stringify({
      time: `2026-06-01T10:0${i}:00Z`,
      email,
      ip_address: '2.125.160.216',
      user_agent: CHROME,
    }),
  );
  const folder = folderWith(t, { 'signups.ndjson': rows.join('\n'), 'own.yaml': OTHER });
  const { stdout } = await gatekeeper(folder, 'simulate', 'signups.ndjson', '--json', '--config', 'own.yaml');
  t.deepEqual(JSON.parse(stdout).levels, { low: 1, medium: 0, high: 1 });
  t.is(JSON.parse(stdout).reasons.allowlisted_email, 1);
});

test('simulate reads the columns that --columns names', async (t) => {
  const folder = folderWith(t, { 'signups.csv': CSV.replace('time,email', 'Joined us,kontakt') });
  const args = ['simulate', 'signups.csv', '--json', '--columns', 'time=joined us,email=kontakt'];
  const { code, stdout, stderr } = await gatekeeper(folder, ...args);
  t.is(code, 0, stderr);
  t.is(JSON.parse(stdout).verdict.fraud.stopped, 1);
});

test('without a label, simulate gives no verdict and says what to add', async (t) => {
  const folder = folderWith(t, { 'signups.csv': CSV.replaceAll(/(legitimate|fraud)$/gm, '') });
  const { stdout } = await gatekeeper(folder, 'simulate', 'signups.csv');
  t.regex(stdout, /^No verdict: no outcome is known\.\nNo signup is known .* Add a column label to the file/);
});

test('errors of the user return 1 and say what to do', async (t) => {
  const folder = folderWith(t, {
    'signups.csv': CSV,
    'header.csv': 'time,email,ip_address\n',
    'other.csv': 'a,b\n1,2\n',
    'bad.yaml': 'scorin: {}\n',
  });
  for (const [file, options, says] of [
    ['missing.csv', {}, /missing\.csv: cannot read the file: it does not exist\n$/],
    ['.', {}, /must end in \.csv/],
    ['header.csv', {}, /header\.csv contains no signup/],
    ['other.csv', {}, /lacks time, email, ip_address/],
    ['signups.csv', { report: 'no/such/folder.html' }, /folder .* does not exist/],
    ['signups.csv', { report: './signups.csv' }, /overwrite/],
    [
      'signups.csv',
      { report: 'other.csv/no/report.html' },
      /cannot be written .* Name a file in another folder/,
    ],
    ['signups.csv', { report: '.' }, /names a folder/],
    ['signups.csv', { columns: 'when=time' }, /^--columns: “when=time” is not a field and its column/],
    ['signups.csv', { columns: 'time=when' }, /has no column when/],
  ] as const) {
    let printed = '';
    let said = '';
    const code = await simulate(
      { file, showProgress: false, ...options },
      {
        cwd: folder,
        env: {},
        write: (text) => {
          printed += text;
        },
        writeError: (text) => {
          said += text;
        },
        isTerminal: false,
        hasColour: false,
      },
    );
    t.is(code, 1, said);
    t.is(printed, '');
    t.regex(said, says);
  }
  const full = await gatekeeper(folder, 'simulate', 'signups.csv', '--report', '/dev/full');
  t.regex(full.stderr, /cannot be written.* Name a file in another folder/);
  const { code, stderr } = await gatekeeper(folder, 'simulate', 'signups.csv', '--against', 'bad.yaml');
  t.is(code, 1);
  t.regex(stderr, /did you mean "?scoring/i);
  t.is(readFileSync(join(folder, 'signups.csv'), 'utf8'), CSV);
});
