import { hash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import { freePort } from '../../helpers/free-port.ts';
import { until } from '../../helpers/until.ts';
import { type App, startApp, startReview } from './review-server.ts';

/** Fields of the form with bytes that a parser would write in another way. */
const BODY = 'email=jane%40example.com&name=J%61ne+O%27Neil&empty=&csrf=%2b%2F';

/** The header fields that docs/verification.md says the gate adds or changes. */
const OURS = /^(?:x-gatekeeper-.*|x-forwarded-(?:for|proto|host)|via|connection|content-length|host)$/;

function claimsOf(app: App) {
  return decodeJwt(app.arrived[0]?.headers['x-gatekeeper-assertion'] as string);
}

test('support lets a held signup in: the app receives the request once, as it was sent', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const sent = { cookie: 'session=of-the-sender', 'x-own': 'a b', 'user-agent': 'Firefox of a test' };
  const id = await server.signUp('/held', BODY, sent);
  t.is(app.arrived.length, 0);
  const desk = await support.get('/review');
  t.true(desk.body.includes(`/review/${id}/let-in`));
  const { status, headers } = await support.post(`/review/${id}/let-in`);
  t.is(status, 303);
  t.is(app.arrived.length, 1);
  const [arrived] = app.arrived;
  t.is(arrived?.body.toString(), BODY);
  t.like(arrived, { method: 'POST', url: '/held' });
  t.like(arrived?.headers, sent);
  t.is(arrived?.headers['x-gatekeeper-action'], 'forward');
  const added = Object.keys(arrived?.headers ?? {}).filter((name) => !OURS.test(name));
  t.deepEqual(added.toSorted(), [
    ...[
      'accept',
      'accept-encoding',
      'accept-language',
      'content-type',
      'cookie',
      'sec-fetch-mode',
      'user-agent',
    ],
    'x-own',
  ]);
  t.like(claimsOf(app), {
    ...{ jti: id, verified: false, reviewed: true, action: 'forward', path: '/held' },
    body_sha256: hash('sha256', BODY),
  });
  const page = await support.get(headers.get('location') ?? '');
  t.true(page.body.includes('The app accepted it and answered 201.'));
  t.true(page.body.includes('We have looked at it and completed it. You can sign in now.'));
  t.is((await server.records.decisionSearch.find(id, null))?.outcome, 'let_in');
  await server.records.decisions.ofGate.label(id, 'legitimate');
  t.regex((await support.get('/decisions')).body, />let_in<\/a>, <a [^>]*>legitimate<\/a>/);
  const [entry] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(entry, { act: 'signup.let_in', subject: id, actorId: support.accountId });
  const again = await support.post(`/review/${id}/let-in`);
  t.regex(again.headers.get('location') ?? '', /done=closed/);
  t.is(app.arrived.length, 1);
});

test('what the app answers to a signup that was let in is shown, also when it refuses or never ends', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const refused = await server.signUp('/held', 'email=a%40example.com');
  app.answer = (_request, response) => void response.writeHead(422).end('taken');
  await support.post(`/review/${refused}/let-in`);
  const page = await support.get(`/decisions/${refused}`);
  t.true(page.body.includes('The app refused it and answered 422.'));
  t.false(page.body.includes('You can sign in now'));
  const endless = await server.signUp('/held', 'email=b%40example.com');
  app.answer = (_request, response) => {
    response.writeHead(200);
    const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more);
    response.on('drain', more);
    more();
  };
  await support.post(`/review/${endless}/let-in`);
  t.true((await support.get(`/decisions/${endless}`)).body.includes('answered 200'));
  const silent = await server.signUp('/held', 'email=c%40example.com');
  app.answer = (request) => void request.socket.destroy();
  await support.post(`/review/${silent}/let-in`);
  t.true((await support.get(`/decisions/${silent}`)).body.includes('The app gave no answer'));
  t.is(app.arrived.length, 3);
});

test('many hands on two nodes and the sender who confirms: the app receives each signup once', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url, (config) => config);
  const other = await startReview(t, app.url, (config) => config, server.storage);
  const hands = [
    ...(await Promise.all(['a', 'b'].map((name) => server.signIn('support', `${name}@example.com`)))),
    ...(await Promise.all(['c', 'd'].map((name) => other.signIn('support', `${name}@example.com`)))),
  ];
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await server.signUp('/held', `email=p${i}%40example.com`));
  const mails = await server.mailbox.received(5);
  await Promise.all(
    ids.flatMap((id, i) => {
      const link = mails.find(({ to }) => to[0] === `p${i}@example.com`)?.link ?? '';
      const confirm = fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      return [confirm, ...hands.map((hand) => hand.post(`/review/${id}/let-in`))];
    }),
  );
  t.deepEqual(
    app.arrived.map(({ body }) => body.toString()).toSorted(),
    ids.map((_id, i) => `email=p${i}%40example.com`),
  );
});

test('while the app is away nothing is lost: the signup can be let in afterwards', async (t) => {
  const port = await freePort();
  const server = await startReview(t, `http://127.0.0.1:${port}`);
  const support = await server.signIn('support');
  const id = await server.signUp('/held', BODY);
  const { headers } = await support.post(`/review/${id}/let-in`);
  t.regex(headers.get('location') ?? '', /done=unreachable/);
  t.is((await server.records.decisionSearch.find(id, null))?.outcome, null);
  const review = await server.records.reviews.reviewOf(id, Date.now());
  t.like(review, { record: null, signup: { state: 'waiting' } });
  const acts = (await server.records.audit.page({ before: null, limit: 2 })).map(({ act }) => act);
  t.deepEqual(acts, ['signup.let_in_failed', 'signup.let_in']);
  const app = await startApp(t, port);
  await support.post(`/review/${id}/let-in`);
  t.deepEqual(
    app.arrived.map(({ body }) => body.toString()),
    [BODY],
  );
});

test('a signup is refused, restored, extended, shortened and mailed again, and each act is audited', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const support = await server.signIn('support');
  const id = await server.signUp('/held');
  const state = async () => (await server.records.reviews.reviewOf(id, Date.now()))?.signup;
  const [mail] = await server.mailbox.received(1);
  // At once: a minute after the mail, another one is allowed.
  t.regex((await support.post(`/review/${id}/mail`)).headers.get('location') ?? '', /done=too-soon/);
  await support.post(`/review/${id}/refuse`);
  t.is((await state())?.state, 'dismissed');
  t.is((await server.records.decisionSearch.find(id, null))?.outcome, 'refused');
  t.is((await fetch(mail?.link ?? '')).status, 410);
  t.true((await support.get(`/decisions/${id}`)).body.includes(`/review/${id}/restore`));
  await support.post(`/review/${id}/restore`);
  t.is((await state())?.state, 'waiting');
  t.is((await server.records.decisionSearch.find(id, null))?.outcome, null);
  t.is((await fetch(mail?.link ?? '')).status, 200);
  const before = (await state())?.expiresAt ?? 0;
  const extended = await support.post(`/review/${id}/extend`);
  const to = (await state())?.expiresAt ?? 0;
  t.is(to - before, 30 * 60_000);
  const query = new URL(extended.headers.get('location') ?? '', server.url).searchParams;
  await support.post(`/review/${id}/shorten`, { from: query.get('from') ?? '', to: query.get('to') ?? '' });
  t.is((await state())?.expiresAt, before);
  for (let i = 0; i < 60; i++) await support.post(`/review/${id}/extend`);
  t.true(((await state())?.expiresAt ?? 0) <= ((await state())?.createdAt ?? 0) + 86_400_000);
  const acts = new Set((await server.records.audit.page({ before: null, limit: 100 })).map(({ act }) => act));
  for (const act of ['signup.refused', 'signup.restored', 'signup.extended'] as const)
    t.true(acts.has(act), act);
  t.is(app.arrived.length, 0);
});

test('a refused signup is kept only with keep_refused, for a day, and is let in byte for byte', async (t) => {
  const app = await startApp(t);
  const off = await startReview(t, app.url);
  const lost = await off.signUp('/refused', BODY);
  t.is(await off.records.reviews.reviewOf(lost, Date.now()), null);
  const server = await startReview(t, app.url, (config) => ({
    ...config,
    review: { ...config.review, keep_refused: true },
  }));
  const support = await server.signIn('support');
  const id = await server.signUp('/refused', BODY);
  const kept = (await server.records.reviews.reviewOf(id, Date.now()))?.signup;
  t.is(kept?.state, 'refused');
  t.is((kept?.expiresAt ?? 0) - (kept?.createdAt ?? 0), 86_400_000);
  t.is(server.mailbox.mails.length, 0);
  t.regex((await support.post(`/review/${id}/mail`)).headers.get('location') ?? '', /done=closed/);
  await support.post(`/review/${id}/let-in`, { back: 'desk' });
  t.deepEqual(
    app.arrived.map(({ body }) => body.toString()),
    [BODY],
  );
  t.like(claimsOf(app), { reviewed: true, verified: false });
  t.like((await server.records.reviews.reviewOf(id, Date.now()))?.record, {
    result: 'answered',
    status: 201,
  });
});

test('kept refused signups of one sender fill only its share, and leave the room of held signups free', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url, (config) => ({
    ...config,
    review: { keep_refused: true, max_kept: 8, max_kept_size: 65_536 },
  }));
  for (let i = 0; i < 12; i++)
    await server.signUp('/refused', `email=p${i}%40example.com&x=${'x'.repeat(1_000)}`);
  const queue = () => server.records.reviews.reviewQueue({ state: 'refused', now: Date.now(), limit: 100 });
  t.is((await queue()).length, 4);
  const id = await server.signUp('/held');
  await until(
    async () => (await server.records.reviews.reviewOf(id, Date.now()))?.signup?.state === 'waiting',
  );
  const large = await server.signUp('/refused', `email=big%40example.com&x=${'x'.repeat(40_000)}`);
  t.is(await server.records.reviews.reviewOf(large, Date.now()), null);
});

test('the list of refused signups says when it has signups that monitor mode let in', async (t) => {
  const app = await startApp(t);
  const off = await startReview(t, app.url);
  await off.signUp('/refused', BODY);
  const refused = (await (await off.signIn('support')).get('/review')).body;
  t.regex(refused, /<h3>Refused in the last 7 days<\/h3>/);
  const server = await startReview(t, app.url, (config) => ({
    ...config,
    proxy: config.proxy && {
      ...config.proxy,
      routes: config.proxy.routes.map((one) => ({ ...one, mode: 'monitor' as const })),
    },
  }));
  await server.signUp('/refused', BODY);
  t.is(app.arrived.length, 1);
  const monitored = (await (await server.signIn('support')).get('/review')).body;
  t.regex(monitored, /<h3>Refused in the last 7 days, or let in only by monitor mode<\/h3>/);
  t.notRegex(monitored, /All refused signups/);
});
