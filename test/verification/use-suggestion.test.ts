import test from 'ava';
import { ProblemError } from '../../src/http/problem.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { outcomeOf, startVerification, submit, submitJson } from './verification-server.ts';

const TYPED = 'jane@gmial.com';
const suggestion = 'jane@gmail.com';

test('the page of the sender shows the suggestion, the link in the mail does not', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath } = await server.holdAndMail(TYPED, { suggestion });
  const pageOf = async (at: string) => (await fetch(`${server.url}${at}`)).text();
  t.regex(await pageOf(path), /<bdi>jane@gmail\.com<\/bdi>/);
  t.notRegex(await pageOf(linkPath), /gmail\.com/);
  t.is((await submit(server, linkPath, { action: 'use_suggestion' })).status, 400);
  t.is((await submitJson(server, linkPath, { action: 'use_suggestion' })).status, 400);
  t.deepEqual(server.corrections, []);
  t.notRegex(server.mailbox.mails.map(({ raw }) => raw).join(), /gmail\.com/);
});

test('an accepted suggestion ends the first signup, and is not a verification', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code, requestId } = await server.holdAndMail(TYPED, { suggestion });
  const answer = await submit(server, path, { action: 'use_suggestion' });
  t.is(answer.status, 201);
  t.is(await answer.text(), suggestion);
  t.is(answer.headers.get('set-cookie'), null);
  t.like(server.corrections[0], { suggestion, held: { recipient: TYPED, requestId } });
  for (const [at, fields] of [
    [path, { code }],
    [linkPath, { action: 'confirm' }],
    [path, { action: 'use_suggestion' }],
  ] as const) {
    t.is((await submit(server, at, fields)).status, 410);
  }
  t.deepEqual([server.corrections.length, server.replays.length], [1, 0]);
  t.is(await outcomeOf(server, requestId), 'corrected');
  t.false(await server.takePass(TYPED));
  t.false(await server.takePass(suggestion));
});

test('on a page without a suggestion, accepting changes nothing', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane@example.com');
  t.like(await (await submitJson(server, path, { action: 'use_suggestion' })).json(), {
    code: 'invalid_request',
  });
  t.is((await submit(server, path, { code })).status, 201);
});

for (const [outcome, status] of [
  [{ kind: 'unreachable' }, 502],
  [{ kind: 'impossible' }, 409],
  [new ProblemError('payload_too_large', 'too large'), 413],
  [new Error('a bug'), 500],
] as const) {
  const name = outcome instanceof Error ? outcome.message : outcome.kind;
  test(`${name}: the sender is told, and the signup as typed can still be confirmed`, async (t) => {
    const server = await startVerification(t);
    const { path, code, requestId } = await server.holdAndMail(TYPED, { suggestion });
    server.corrected = outcome;
    const page = await submit(server, path, { action: 'use_suggestion' });
    t.is(page.status, status);
    t.notRegex(await page.text(), /a bug/);
    const problem = await submitJson(server, path, { action: 'use_suggestion' });
    t.regex(problem.headers.get('content-type') ?? '', /problem\+json/);
    t.is(await outcomeOf(server, requestId), null);
    t.is((await submit(server, path, { code })).status, 201);
    t.is(server.replays.length, 1);
  });
}

test('an app that may have the corrected signup is not asked again', async (t) => {
  const server = await startVerification(t);
  const { path, requestId } = await server.holdAndMail(TYPED, { suggestion });
  server.corrected = { kind: 'unanswered', correctedAs: 'corrected-1' };
  const page = await submit(server, path, { action: 'use_suggestion' });
  t.is(page.status, 502);
  t.regex(await page.text(), /did not answer/);
  t.is((await submit(server, path, { action: 'use_suggestion' })).status, 410);
  t.is(await outcomeOf(server, requestId), 'corrected');
});

test('after a rotation of keys the suggestion still works; without the old key the page has none', async (t) => {
  const folder = temporaryFolder(t);
  const first = await startVerification(t, { folder, holdSecrets: ['the old secret'] });
  const { path } = await first.holdAndMail(TYPED, { suggestion });
  const without = await startVerification(t, { folder, holdSecrets: ['the new secret'] });
  t.notRegex(await (await fetch(`${without.url}${path}`)).text(), /gmail\.com/);
  t.is((await submit(without, path, { action: 'use_suggestion' })).status, 503);
  const rotated = await startVerification(t, { folder, holdSecrets: ['the new secret', 'the old secret'] });
  t.is((await submit(rotated, path, { action: 'use_suggestion' })).status, 201);
});

test('of clicks at two nodes and a confirmation at once, one takes effect', async (t) => {
  const folder = temporaryFolder(t);
  const [one, two] = [await startVerification(t, { folder }), await startVerification(t, { folder })];
  const { path, code } = await one.holdAndMail(TYPED, { suggestion });
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, i) =>
      submit(i % 2 === 0 ? one : two, path, { action: 'use_suggestion' }),
    ),
    submit(two, path, { code }),
  ]);
  t.is(answers.filter(({ status }) => status === 201).length, 1);
  t.is(answers.filter(({ status }) => status === 410).length, 8);
  const sent = [one, two].flatMap(({ corrections, replays }) => [...corrections, ...replays]);
  t.is(sent.length, 1);
});

test('the suggestion of one signup is not accepted in the row of another', async (t) => {
  const server = await startVerification(t);
  const [first, second] = [
    await server.holdAndMail(TYPED, { suggestion }),
    await server.holdAndMail('john@gmial.com', { suggestion: 'john@gmail.com' }),
  ];
  await server.swapSuggestions(first.requestId, second.requestId);
  t.notRegex(await (await fetch(`${server.url}${first.path}`)).text(), /gmail\.com/);
  t.is((await submit(server, first.path, { action: 'use_suggestion' })).status, 400);
});
