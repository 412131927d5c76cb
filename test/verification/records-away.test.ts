import test from 'ava';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { StorageAwayError } from '../../src/storage/storage-error.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { PUBLIC_URL, startVerification, submitJson } from './verification-server.ts';

const BROWSER = { accept: 'text/html,*/*;q=0.8', origin: PUBLIC_URL };

test('while another program locks the database, the pages ask to try again, and the same code works later', async (t) => {
  const folder = temporaryFolder(t);
  const server = await startVerification(t, { folder });
  const { path, linkPath, code } = await server.holdAndMail();
  const other = openSqlite(`${folder}/gatekeeper.db`);
  other.exec('BEGIN IMMEDIATE');
  const page = await fetch(`${server.url}${linkPath}`, {
    method: 'POST',
    headers: BROWSER,
    body: new URLSearchParams('action=confirm'),
  });
  t.is(page.status, 503);
  t.is(page.headers.get('retry-after'), '5');
  t.regex(await page.text(), /app\.example does not answer at the moment\. Your sign-up is saved\./);
  const answer = await submitJson(server, path, { code });
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '5');
  t.like(await answer.json(), { code: 'overloaded' });
  other.exec('ROLLBACK');
  other.close();
  t.is(server.replays.length, 0);
  t.is((await submitJson(server, path, { code })).status, 201);
  t.is(server.replays.length, 1);
});

test('while the database does not answer, opening a page is 503 and not an internal error', async (t) => {
  const server = await startVerification(t);
  const { path } = await server.holdAndMail();
  const { heldSignups } = server.records;
  const { find } = heldSignups;
  Object.assign(heldSignups, {
    find: () => Promise.reject(new StorageAwayError('The database does not answer.')),
  });
  const page = await fetch(`${server.url}${path}`, { headers: BROWSER });
  t.is(page.status, 503);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
  t.true(server.logLines.some((line) => line.includes('StorageAwayError')));
  Object.assign(heldSignups, { find });
  t.is((await fetch(`${server.url}${path}`, { headers: BROWSER })).status, 200);
});
