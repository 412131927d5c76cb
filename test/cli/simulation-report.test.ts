import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { simulate } from '../../src/cli/simulate.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const MAILBOXES = [
  '"<script>alert(1)</script>"@gmail.com',
  `"'><img/src=x/onerror=alert(1)>"@gmail.com`,
  '=cmd|calc@gmail.com',
  '"&lt;b&gt;"@gmail.com',
];

test('the report shows hostile mailboxes and file names as text', async (t) => {
  const folder = temporaryFolder(t);
  const rows = MAILBOXES.map((email, i) =>
    JSON.stringify({ time: `2026-06-0${i + 1}T10:00:00Z`, email, ip_address: '2.125.160.216' }),
  );
  writeFileSync(join(folder, '<i>.ndjson'), `${rows.join('\n')}\n{"time":"<u>"}\n`);
  writeFileSync(join(folder, '"other&.yaml'), 'lists: {deny: [gmail.com]}\n');
  const options = { json: false, showProgress: false };
  const code = await simulate(
    { ...options, file: '<i>.ndjson', against: '"other&.yaml', report: 'report.html' },
    { cwd: folder, env: {}, write: () => {}, writeError: () => {}, isTerminal: false, hasColour: false },
  );
  t.is(code, 0);
  const report = readFileSync(join(folder, 'report.html'), 'utf8');
  t.notRegex(report, /<script|<img|<i>|<u>|<b>|"other/);
  for (const text of [...MAILBOXES, '<i>.ndjson', '"other&.yaml'])
    t.true(report.includes(escaped(text)), text);
  t.regex(report, /default-src 'none'/);
});

const overwritten: readonly (readonly [report: string, named: string])[] = [
  ['signups.ndjson', 'the history file'],
  ['link.html', 'the history file'],
  ['gatekeeper.yaml', 'the configuration file'],
  ['other.yaml', 'the file of --against'],
];
for (const [report, named] of overwritten) {
  test(`the report ${report} does not overwrite ${named}`, async (t) => {
    const folder = temporaryFolder(t);
    const files = {
      'signups.ndjson':
        '{"time":"2026-06-01T10:00:00Z","email":"a@gmail.com","ip_address":"2.125.160.216"}\n',
      'gatekeeper.yaml': 'workers: 1\n',
      'other.yaml': 'lists: {deny: [gmail.com]}\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    symlinkSync('signups.ndjson', join(folder, 'link.html'));
    const args = ['simulate', 'signups.ndjson', '--against', 'other.yaml', '--report', report];
    const { code, out, err } = await runCommand(args, folder);
    t.is(err, `--report names ${named} and would overwrite it.\n`);
    t.is(out, '');
    t.is(code, 1);
    for (const [name, text] of Object.entries(files)) t.is(readFileSync(join(folder, name), 'utf8'), text);
  });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
