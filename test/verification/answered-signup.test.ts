import test from 'ava';
import { startVerification, submit, submitJson, type TestVerification } from './verification-server.ts';

/** The cookie for the URL of the answer, as the browser sends it back to that URL. */
function targetOf(answer: Response): string {
  const [set = ''] = answer.headers.getSetCookie().filter((cookie) => cookie.includes('gatekeeper-target='));
  return set.split(';', 1)[0] ?? '';
}

async function confirmed(server: TestVerification) {
  const { path, code } = await server.holdAndMail();
  const answer = await submit(server, path, { code });
  return { path, code, answer, cookie: `a=1; ${targetOf(answer)}` };
}

function post({ url }: TestVerification, path: string, options: RequestInit): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', redirect: 'manual', ...options });
}

test('only the URL that shows the answer of the app gets the cookie with its path', async (t) => {
  const server = await startVerification(t);
  const { path, answer } = await confirmed(server);
  t.is(
    answer.headers.getSetCookie()[2],
    `__Secure-gatekeeper-target=%2Fsignup%3Ffrom%3D%252e; Path=${path}; Max-Age=1800; HttpOnly; SameSite=Strict; Secure`,
  );
});

const upload = new FormData();
upload.append('name', 'Jane');
upload.append('photo', new Blob([new Uint8Array(20_000)]), 'me.png');

for (const [form, body] of [
  ['with a file', upload],
  ['that is urlencoded', new URLSearchParams({ email: 'jane@example.com', code: 'x' })],
  ['that is large', new URLSearchParams({ text: 'x'.repeat(9_000) })],
] as const) {
  test(`a form of the app's answer without an action goes to the path of the signup: one ${form}`, async (t) => {
    const server = await startVerification(t);
    const { path, cookie } = await confirmed(server);
    const answer = await post(server, path, { body, headers: { cookie } });
    t.is(answer.status, 307);
    t.is(answer.headers.get('location'), '/signup?from=%2e');
    t.is(answer.headers.get('referrer-policy'), null);
    t.is(server.replays.length, 1);
  });
}

test('the same after the link, and after an accepted suggestion', async (t) => {
  const server = await startVerification(t);
  const { linkPath } = await server.holdAndMail();
  t.not(targetOf(await submit(server, linkPath, {})), '');
  const { path } = await server.holdAndMail('jane@gmial.com', { suggestion: 'jane@gmail.com' });
  await submit(server, path, { action: 'use_suggestion' });
  t.regex(server.corrections[0]?.answerHeaders[1] ?? '', /^__Secure-gatekeeper-target=%2Fsignup/);
});

test('the code sent again by a reload is not sent on', async (t) => {
  const server = await startVerification(t);
  const { path, code, cookie } = await confirmed(server);
  t.is((await submit(server, path, { code }, { cookie })).status, 410);
  t.is((await submit(server, path, { action: 'confirm' }, { cookie })).status, 410);
});

test('a form of another site is not sent on', async (t) => {
  const server = await startVerification(t);
  const { path, cookie } = await confirmed(server);
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  t.is((await post(server, path, { body: upload, headers })).status, 403);
});

for (const target of [
  '//evil.example/',
  '/\\evil.example/',
  'https://evil.example/',
  '/a\r\nb: c',
  '%',
  '',
]) {
  test(`a cookie that names no path of this site has no effect: ${JSON.stringify(target)}`, async (t) => {
    const server = await startVerification(t);
    const { path } = await confirmed(server);
    const cookie = `__Secure-gatekeeper-target=${target === '%' ? target : encodeURIComponent(target)}`;
    t.is((await post(server, path, { body: upload, headers: { cookie } })).status, 413);
  });
}

test('a program gets no cookie', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail();
  t.is(targetOf(await submitJson(server, path, { code })), '');
});
