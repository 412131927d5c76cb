import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import test from 'ava';
import { createBodyBudget } from '../../src/gate/budgets.ts';
import { Spool } from '../../src/gate/spool.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { route } from '../helpers/routes.ts';
import { openGateServer } from './gate-server.ts';

const TYPE = 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW';
const FORM = Buffer.concat([
  Buffer.from(
    '------WebKitFormBoundary7MA4YWxkTrZu0gW\r\nContent-Disposition: form-data; name="email"\r\n\r\nada@company.example\r\n' +
      '------WebKitFormBoundary7MA4YWxkTrZu0gW\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n',
  ),
  randomBytes(3_000_000),
  Buffer.from('\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n'),
]);

const signUp = (url: string, path: string) =>
  fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': TYPE }, body: new Uint8Array(FORM) });

test('uploads that are announced and do not come take no room from others', async (t) => {
  const server = await openGateServer(t);
  const sockets = Array.from({ length: 80 }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(
      `POST /signup HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: 32000000\r\n\r\n`,
    );
    socket.write(FORM.subarray(0, 1_200_000));
    return socket;
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve) => (socket.writableLength === 0 ? resolve(0) : socket.once('drain', resolve))),
    ),
  );
  t.is((await signUp(server.url, '/signup')).status, 201);
});

test.serial(
  'without a folder for temporary files large signups are refused for now, and none in monitor mode',
  async (t) => {
    const { TMPDIR } = process.env;
    const server = await openGateServer(t, {
      routes: [
        route('/signup'),
        route('/dry', { mode: 'monitor' }),
        route('/shared', { when: { action: 'register' } }),
      ],
    });
    process.env.TMPDIR = '/proc/no-such-folder';
    try {
      const refused = await signUp(server.url, '/signup');
      t.is(refused.status, 503);
      t.is(refused.headers.get('retry-after'), '5');
      t.is(server.upstream.requests.length, 0);
      for (const path of ['/dry', '/shared']) {
        t.is((await signUp(server.url, path)).status, 201, path);
        t.true(server.upstream.requests.at(-1)?.body.equals(FORM), path);
      }
      t.is((await server.signUp('ada@company.example')).status, 201);
      const errors = server.log.filter((line) => line.includes('temporary files'));
      t.is(errors.length, 1);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  },
);

test('a file without room keeps its earlier bytes, and releases its room', async (t) => {
  const parts = {
    files: createBodyBudget(2_097_152),
    memory: createBodyBudget(1_000_000),
    onFailure: () => t.fail(),
  };
  const spool = await Spool.open(parts);
  await spool.write(FORM.subarray(0, 2_000_000));
  const error = await t.throwsAsync(spool.write(FORM.subarray(2_000_000)), { instanceOf: ProblemError });
  t.is((error as ProblemError).code, 'overloaded');
  const body = spool.finish();
  const pieces: Buffer[] = [];
  for await (const piece of body.open()) pieces.push(piece as Buffer);
  t.true(Buffer.concat(pieces).equals(FORM.subarray(0, 2_000_000)));
  await t.throwsAsync(body.toBuffer(), { instanceOf: ProblemError });
  await spool.close();
  t.truthy(parts.files.reserve(2_097_152));
});
