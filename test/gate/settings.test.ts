import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readBlockPage } from '../../src/gate/settings.ts';
import { UNNAMED_SITE } from '../../src/web/site.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FACTS = { language: 'en', site: UNNAMED_SITE, publicUrl: null, reference: null };

test('a block page is read from a file', async (t) => {
  const file = await temporaryFile(t, '<h1>Not today</h1>{{request_id}}');
  const page = await readBlockPage('web', file);
  t.is(page({ ...FACTS, requestId: 'r-1' }).html, '<h1>Not today</h1>r-1');
});

test('a named pipe as the block page is refused and does not wait for its writer', async (t) => {
  const pipe = join(temporaryFolder(t), 'page.html');
  execFileSync('mkfifo', [pipe]);
  await t.throwsAsync(readBlockPage('web', pipe), {
    message: /"web", .*page\.html, .*not a regular file\.$/,
  });
});

test('a device, a folder, another encoding, a page that is too large and an empty one are refused with the reason', async (t) => {
  await t.throwsAsync(readBlockPage('web', '/dev/zero'), { message: /not a regular file/ });
  await t.throwsAsync(readBlockPage('web', tmpdir()), { message: /it is a folder/ });
  const latin1 = await temporaryFile(t, Buffer.from([0xe4, 0xf6, 0xfc]));
  await t.throwsAsync(readBlockPage('web', latin1), { message: /it is not UTF-8/ });
  const large = await temporaryFile(t, 'x'.repeat(131_073));
  await t.throwsAsync(readBlockPage('web', large), { message: /larger than 131072 bytes/ });
  const empty = await temporaryFile(t, '\n');
  await t.throwsAsync(readBlockPage('web', empty), { message: /block_page of "web", .* is empty/ });
});

async function temporaryFile(t: ExecutionContext, content: string | Buffer): Promise<string> {
  const file = join(temporaryFolder(t), 'page.html');
  await writeFile(file, content);
  return file;
}
