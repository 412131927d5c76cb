import { connect } from 'node:net';
import test from 'ava';
import { route } from '../helpers/routes.ts';
import { openGateServer } from './gate-server.ts';
import { EVIL, GOOD, MULTIPART, multipart, PICTURE, send } from './large-forms.ts';

test('a large signup in chunks arrives complete, in small pieces and in large ones', async (t) => {
  const body = multipart([
    ['picture', PICTURE],
    ['email', GOOD],
  ]);
  for (const size of [1_111, 700_000]) {
    let at = 0;
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(body.subarray(at, at + size));
        at += size;
        if (at >= body.length) controller.close();
      },
    });
    const { server, answer } = await send({ t }, stream);
    t.is(answer.status, 201);
    t.true(server.upstream.requests[0]?.body.equals(body));
    t.is(server.judged.length, 1);
  }
});

test('a large upload to a path with a condition passes, whatever its content', async (t) => {
  const routes = [route('/signup', { when: { action: 'register' }, max_upload: 4_000_000 })];
  const large = Buffer.concat([PICTURE, PICTURE, PICTURE]);
  for (const [type, body] of [
    ['image/png', large],
    ['application/octet-stream', large],
    ['application/json', Buffer.from(JSON.stringify({ action: 'upload', data: large.toString('base64') }))],
    ['text/plain', Buffer.from('word '.repeat(1_000_000))],
    [
      MULTIPART,
      multipart([
        ['action', 'upload'],
        ['picture', PICTURE],
      ]),
    ],
    [
      MULTIPART,
      multipart([
        ['action', 'upload'],
        ['picture', large],
      ]),
    ],
    [
      MULTIPART,
      multipart([
        ['picture', large],
        ['action', 'upload'],
      ]),
    ],
    [MULTIPART, large],
  ] as const) {
    const { server, answer } = await send({ t, routes }, body, { type });
    t.is(answer.status, 201, type);
    t.true(server.upstream.requests[0]?.body.equals(body));
    t.is(server.judged.length, 0);
  }
});

test('a streamed body to a path with a condition never arrives complete when it may be the signup', async (t) => {
  const routes = [route('/signup', { when: { action: 'register' }, max_upload: 4_000_000 })];
  const pad = 'x'.repeat(2_000_000);
  const last = Buffer.from(`{"pad":"${pad}","email":"${EVIL}","action":"\\u0072egister"}`);
  const large = Buffer.concat([PICTURE, PICTURE, PICTURE]);
  for (const [type, body] of [
    ['application/json', last],
    ['text/plain', last],
    [
      MULTIPART,
      multipart([
        ['picture', large],
        ['email', EVIL],
        ['action', 'register'],
      ]),
    ],
  ] as const) {
    const arrived: number[] = [];
    const server = await openGateServer(t, { routes });
    const answer = await fetch(`${server.url}/signup`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(body),
    }).catch(() => null);
    if (answer) arrived.push(answer.status);
    t.not(answer?.status, 201);
    t.is(server.upstream.requests.length, 0, type);
  }
});

/** A route without `methods` judges any method whose body has the email field. */
const ANY_METHOD = [route('/signup', { methods: null, max_upload: 4_000_000 })];
const inPieces = (body: Buffer) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });

test('another method with an email in a large body of any type never arrives complete', async (t) => {
  const pad = 'x'.repeat(1_100_000);
  const first = Buffer.from(JSON.stringify({ email: EVIL, pad }));
  const last = Buffer.from(JSON.stringify({ pad, email: EVIL }));
  const spelled = Buffer.from(`{"pad":"${pad}","\\u0065MAIL":"${EVIL}"}`);
  const form = Buffer.from(`pad=${pad}&e%6dail=${EVIL}`);
  const wide = Buffer.from(last.toString('utf8'), 'utf16le');
  const trimmed = Buffer.from(`pad=${pad}&\x01 email\x02=${EVIL}`);
  for (const type of ['text/plain', 'image/png', 'application/json']) {
    for (const [name, body] of Object.entries({ first, last, spelled, form, wide, trimmed })) {
      for (const sent of [body, inPieces(body)]) {
        const server = await openGateServer(t, { routes: ANY_METHOD });
        const answer = await fetch(`${server.url}/signup`, {
          ...{ method: 'PUT', headers: { 'content-type': type } },
          ...{ body: sent as Uint8Array<ArrayBuffer>, duplex: 'half' },
        } as RequestInit).catch(() => null);
        t.not(answer?.status, 201, `${type} ${name}`);
        t.is(server.upstream.requests.length, 0, `${type} ${name}`);
        t.is(server.judged.length, 0);
      }
    }
  }
});

test('another method with a large encoded body is refused, because it cannot be read', async (t) => {
  const { server, answer } = await send({ t, routes: ANY_METHOD }, PICTURE, {
    ...{ method: 'PUT', type: 'application/json', headers: { 'content-encoding': 'gzip' } },
  });
  t.is(answer.status, 413);
  t.is(server.upstream.connections, 0);
});

test('a large file of another method arrives as it was sent, also where it mentions an email', async (t) => {
  const rows = Buffer.from(`name,email,method\r\n${`Ada,${GOOD},mail\r\n`.repeat(80_000)}`);
  const mentions = Buffer.concat([PICTURE, Buffer.from(' my email is below '), PICTURE]);
  for (const [type, body] of [
    ['text/csv', rows],
    ['image/png', mentions],
    ['image/jpeg', Buffer.concat([PICTURE, Buffer.from('&\x02\x81 my email is\x03\x91='), PICTURE])],
    ['application/octet-stream', Buffer.from('%41'.repeat(3_000_000))],
  ] as const) {
    for (const sent of [body, inPieces(body)]) {
      const { server, answer } = await send({ t, routes: ANY_METHOD }, sent, { type, method: 'PUT' });
      t.is(answer.status, 201, type);
      t.true(server.upstream.requests[0]?.body.equals(body));
      t.is(server.judged.length, 0);
    }
  }
});

test('a large upload in monitor mode is forwarded whole even where it cannot be read', async (t) => {
  const routes = [route('/signup', { mode: 'monitor', max_upload: 2_000_000 })];
  const body = multipart([
    ['email', GOOD],
    ['picture', PICTURE],
  ]);
  for (const sent of [body, inPieces(body)]) {
    const { server, answer } = await send({ t, routes }, sent);
    t.is(answer.status, 201);
    t.true(server.upstream.requests[0]?.body.equals(body));
    t.is(server.upstream.requests[0]?.headers['x-gatekeeper-monitor'], 'block');
  }
});

test('a sender who disconnects during a large file sends nothing to the app', async (t) => {
  const server = await openGateServer(t);
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  const body = multipart([
    ['email', GOOD],
    ['picture', PICTURE],
  ]);
  socket.write(
    `POST /signup HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 2_000_000), () => socket.destroy());
  await new Promise((resolve) => socket.on('close', resolve));
  t.is((await server.signUp(GOOD)).status, 201);
  t.is(server.upstream.requests.length, 1);
});
