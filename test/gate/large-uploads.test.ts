import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { decodeJwt } from 'jose';
import { BODY_BUDGET_BYTES } from '../../src/gate/read-request.ts';
import { route } from '../helpers/routes.ts';
import { EVIL, GOOD, multipart, PICTURE, send } from './large-forms.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

for (const [what, fields] of [
  [
    'behind its fields',
    [
      ['email', GOOD],
      ['name', 'Ada'],
      ['picture', PICTURE],
    ],
  ],
  [
    'before its fields',
    [
      ['picture', PICTURE],
      ['email', GOOD],
    ],
  ],
  [
    'between its fields',
    [
      ['name', 'x'],
      ['picture', PICTURE],
      ['second', PICTURE],
      ['email', GOOD],
    ],
  ],
] as const) {
  test(`a signup with a large picture ${what} is judged and arrives byte for byte`, async (t) => {
    const body = multipart(fields);
    const { server, answer } = await send({ t }, body);
    t.is(answer.status, 201);
    t.is(server.judged[0]?.email.mailbox?.address, GOOD);
    const [arrived] = server.upstream.requests;
    t.true(arrived?.body.equals(body));
    t.is(arrived?.headers['content-length'], String(body.length));
    t.is(decodeJwt(String(arrived?.headers['x-gatekeeper-assertion'])).body_sha256, sha256(body));
  });

  test(`of a bad signup with a large picture ${what} no byte reaches the app`, async (t) => {
    const bad = fields.map(([name, value]) => [name, value === GOOD ? EVIL : value] as const);
    const { server, answer } = await send({ t }, multipart(bad));
    t.is(answer.status, 403);
    t.is(server.upstream.connections, 0);
  });
}

test('fields count against max_body, files against max_upload alone', async (t) => {
  const routes = [route('/signup', { max_upload: 4_000_000 })];
  const long = multipart([
    ['email', GOOD],
    ['bio', 'x'.repeat(1_100_000)],
    ['picture', PICTURE],
  ]);
  const large = multipart([
    ['email', GOOD],
    ['a', PICTURE],
    ['b', PICTURE],
  ]);
  for (const body of [long, large]) {
    const { server, answer, text } = await send({ t, routes }, body);
    t.is(answer.status, 413);
    t.regex(text, /payload_too_large/);
    t.is(server.upstream.connections, 0);
  }
});

test('a form that arrives in one piece counts against max_upload too', async (t) => {
  const routes = [route('/signup', { max_body: 1_000, max_upload: 4_000 })];
  const form = (bytes: number) =>
    multipart([
      ['email', GOOD],
      ['picture', PICTURE.subarray(0, bytes)],
    ]);
  t.is((await send({ t, routes }, form(3_000))).answer.status, 201);
  const { server, answer, text } = await send({ t, routes }, form(5_000));
  t.is(answer.status, 413);
  t.regex(text, /at most 4000 bytes/);
  t.is(server.upstream.connections, 0);
});

test('with a max_body above the memory for all bodies, a body of unknown length is judged, and a larger one gets 413', async (t) => {
  const routes = [route('/signup', { max_body: 2 * BODY_BUDGET_BYTES })];
  const { server, answer } = await send({ t, routes }, inOnePiece(JSON.stringify({ email: GOOD })), {
    type: 'application/json',
  });
  t.is(answer.status, 201);
  const socket = connect(server.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write(
    `POST /signup HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BUDGET_BYTES + 1}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  t.regex(head.toString(), /^HTTP\/1\.1 413 /);
});

/** A body without an announced length. */
const inOnePiece = (text: string) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text));
      controller.close();
    },
  });

test('a second email after a large file is judged, and an ambiguous one is refused', async (t) => {
  const two = multipart([
    ['email', GOOD],
    ['picture', PICTURE],
    ['user.email', EVIL],
  ]);
  t.is((await send({ t }, two)).answer.status, 403);
  const twice = multipart([
    ['email', GOOD],
    ['picture', PICTURE],
    ['email', EVIL],
  ]);
  t.is((await send({ t }, twice)).answer.status, 400);
  const hidden = Buffer.concat([PICTURE, Buffer.from(` &email=${EVIL}&`), PICTURE]);
  t.is(
    (
      await send(
        { t },
        multipart([
          ['email', GOOD],
          ['picture', hidden],
        ]),
      )
    ).answer.status,
    400,
  );
});
