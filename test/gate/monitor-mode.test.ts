import test from 'ava';
import { decodeJwt } from 'jose';
import { route } from '../helpers/routes.ts';
import { openGateServer } from './gate-server.ts';

for (const [email, would] of [
  ['ada@company.example', 'forward'],
  ['medium@company.example', 'verify'],
  ['high@company.example', 'block'],
  ['no mailbox', 'block'],
] as const) {
  test(`in monitor mode ${email} is forwarded, marked with "${would}", and both are logged`, async (t) => {
    const server = await openGateServer(t, { routes: [route('/signup', { mode: 'monitor' })] });
    t.is((await server.signUp(email)).status, 201);
    const headers = server.upstream.requests[0]?.headers;
    t.like(headers, { 'x-gatekeeper-action': 'forward', 'x-gatekeeper-monitor': would });
    t.like(decodeJwt(String(headers?.['x-gatekeeper-assertion'])), { action: 'forward', mode: 'monitor' });
    t.like(server.recorded[0], { action: 'forward', wantedAction: would, mode: 'monitor' });
    const line = server.log.map((text) => JSON.parse(text)).find(({ route: name }) => name === '/signup');
    t.like(line, { action: 'forward', wanted_action: would, level: 'info' });
  });
}

test('in monitor mode an unreadable request is forwarded unchanged, and marked with the action of enforce mode', async (t) => {
  const server = await openGateServer(t, { routes: [route('/signup', { mode: 'monitor', max_body: 100 })] });
  const bodies = ['{"email":"a@b.example","email":"c@d.example"}', '{', '', 'x'.repeat(5_000)];
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/signup`, { method: 'POST', headers, body });
    t.is(answer.status, 201, body.slice(0, 50));
  }
  t.deepEqual(
    server.upstream.requests.map(({ body }) => body.toString()),
    bodies,
  );
  for (const { headers } of server.upstream.requests) {
    t.like(headers, { 'x-gatekeeper-action': 'forward', 'x-gatekeeper-monitor': 'block' });
  }
  t.is(server.judged.length, 0);
});

test('one enforcing route among the matching ones is enough to refuse a body', async (t) => {
  const routes = [
    route('/signup', { name: 'a', mode: 'monitor', when: { kind: 'a' } }),
    route('/signup', { name: 'b', when: { kind: 'b' } }),
  ];
  const server = await openGateServer(t, { routes });
  const answer = await fetch(`${server.url}/signup`, { method: 'POST', body: '{"kind":"b"' });
  t.is(answer.status, 415);
  t.is(server.upstream.connections, 0);
});

test('the judge learns which attempts the route refuses: blocked ones, also in monitor mode, and no others', async (t) => {
  const refused: boolean[] = [];
  const server = await openGateServer(t, {
    routes: [
      route('/signup'),
      route('/join', { on_high: 'verify' }),
      route('/apply', { on_low: 'block' }),
      route('/try', { mode: 'monitor' }),
    ],
    wrapJudge: (judge) => ({
      ...judge,
      judge: (attempt, isRefused) =>
        judge.judge(attempt, (judgement) => {
          const isBlocked = isRefused?.(judgement) ?? false;
          refused.push(isBlocked);
          return isBlocked;
        }),
    }),
  });
  const post = (path: string, email: string) =>
    fetch(new URL(path, server.url), {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email }) },
    });
  for (const [path, level] of [
    ['/signup', 'low'],
    ['/signup', 'high'],
    ['/join', 'high'],
    ['/apply', 'low'],
    ['/try', 'high'],
  ]) {
    await post(path ?? '', `${level}@company.example`);
  }
  t.deepEqual(refused, [false, true, false, true, true]);
});
