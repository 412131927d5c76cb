import { createHash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
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
