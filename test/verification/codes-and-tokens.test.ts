import test from 'ava';
import { outcomeOf, startVerification, submit, submitJson, wrongCode } from './verification-server.ts';

const MINUTE_MS = 60_000;

test('forged, truncated, changed, used and expired tokens get the same answer', async (t) => {
  const server = await startVerification(t);
  const used = await server.holdAndMail('a@example.com');
  await submit(server, used.path, { code: used.code });
  const expired = await server.holdAndMail('b@example.com');
  server.now += 30 * MINUTE_MS;
  const waiting = await server.holdAndMail('c@example.com');
  const paths = [
    ...[used.path, used.linkPath, expired.path, expired.linkPath],
    ...['/.gatekeeper/verify/', '/.gatekeeper/verify/forged', `/.gatekeeper/verify/${'A'.repeat(43)}`],
    ...[
      waiting.path.slice(0, -1),
      `${waiting.path}A`,
      `${waiting.path}%00`,
      `/.gatekeeper/verify/${'x'.repeat(5_000)}`,
    ],
    ...[waiting.path.slice(0, -1) + (waiting.path.endsWith('A') ? 'B' : 'A')],
  ];
  const answers = new Set<string>();
  for (const path of paths) {
    for (const response of [
      await fetch(`${server.url}${path}`),
      await submit(server, path, { code: waiting.code }),
    ]) {
      const { status, headers } = response;
      const names = [...headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive');
      answers.add(JSON.stringify([status, names, await response.text()]));
    }
  }
  t.is(answers.size, 1);
  t.regex([...answers].join(), /^\[410,/);
  t.is(server.replays.length, 1);
});

test('ten wrong codes lock after five, and neither the right code, nor a new mail, nor the link opens it again', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code, requestId } = await server.holdAndMail();
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) => submitJson(server, path, { code: wrongCode(code, i + 1) })),
  );
  const problems = (await Promise.all(responses.map((response) => response.json()))) as {
    readonly code: string;
    readonly tries_left: number;
  }[];
  const left = problems
    .filter((problem) => problem.code === 'wrong_code')
    .map((problem) => problem.tries_left);
  t.deepEqual(left.sort(), [1, 2, 3, 4]);
  t.deepEqual(
    new Set(problems.map((problem) => problem.code)),
    new Set(['wrong_code', 'verification_locked']),
  );
  server.now += 2 * MINUTE_MS;
  t.is((await submit(server, path, { action: 'resend' })).status, 403);
  t.is((await submit(server, path, { code })).status, 403);
  t.is((await submit(server, linkPath, {})).status, 403);
  t.is(server.replays.length, 0);
  t.is(server.mailbox.mails.length, 1);
  t.is(await outcomeOf(server, requestId), 'locked');
});

test('after a reload with fewer tries than a signup has used, one try is left', async (t) => {
  const limits = { code_tries: 5 };
  const server = await startVerification(t, { verification: limits });
  const { path, code } = await server.holdAndMail();
  for (let i = 1; i <= 3; i++) await submitJson(server, path, { code: wrongCode(code, i) });
  limits.code_tries = 2;
  t.like(await (await submitJson(server, path, { code: 'abc' })).json(), { tries_left: 1 });
  const last = await submitJson(server, path, { code: wrongCode(code) });
  t.like(await last.json(), { code: 'verification_locked', tries_left: 0 });
});

test('a malformed code does not count as a try, and the page asks for six digits', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail();
  for (const typed of ['', '12345', '1234567', 'abcdef', '<script>', '\u202e123456']) {
    const response = await submit(server, path, { code: typed });
    t.is(response.status, 400);
    const page = await response.text();
    t.true(page.includes('aria-invalid') && page.includes('Enter the six digits'));
    t.false(page.includes('<script>'));
  }
  for (const content of [{}, { code: 123456 }, { code: null }, { code: ['1'] }]) {
    t.like(await (await submitJson(server, path, content)).json(), {
      code: 'invalid_request',
      tries_left: 5,
    });
  }
  t.is((await submit(server, path, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).status, 201);
});

test('a code expires ten minutes after the server accepts its mail; the link still works', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code } = await server.holdAndMail();
  server.now += 10 * MINUTE_MS;
  const response = await submitJson(server, path, { code });
  t.like(await response.json(), { code: 'wrong_code', tries_left: 5 });
  t.is((await submit(server, linkPath, {})).status, 201);
});
