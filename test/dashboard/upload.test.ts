import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { PageError } from '../../src/dashboard/page-error.ts';
import type { DashboardContext } from '../../src/dashboard/router.ts';
import { beginUpload } from '../../src/dashboard/upload.ts';

const CONTENT = 'time,email\r\n--b\r\n-- b0 \r\n\u00fc';
const BODY = [
  '--b0',
  'Content-Disposition: form-data; name="csrf"',
  '',
  'the token',
  '--b0',
  'Content-Disposition: form-data; name="file"; filename="a.csv"',
  'Content-Type: text/csv',
  '',
  CONTENT,
  '--b0--',
  '',
].join('\r\n');
const MULTIPART = 'multipart/form-data; boundary=b0';

interface Sent {
  readonly body: string | Buffer;
  /** Bytes of each write. */
  readonly size?: number;
  readonly type?: string;
  /** The announced length; left out: the whole body. */
  readonly length?: number;
  /** As a browser: the connection stays open after the answer. */
  readonly keepsOpen?: boolean;
}

/** A server that answers with the token and the length of the file, or with the problem. */
async function startServer(t: ExecutionContext, readsFile = true) {
  const contents: string[] = [];
  const server = createServer(async (req, res) => {
    try {
      const { form, file } = await beginUpload({ req, res, headers: req.headers } as DashboardContext);
      const chunks: Buffer[] = [];
      if (readsFile) for await (const chunk of file) chunks.push(chunk);
      contents.push(Buffer.concat(chunks).toString());
      res.end(`token ${form.raw('csrf')}`);
    } catch (error) {
      contents.push(error instanceof PageError ? error.message : `a bug: ${error}`);
      res.writeHead(400).end(error instanceof PageError ? error.message : '');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    contents,
    async send({ body, size = 10_000, type = MULTIPART, length, keepsOpen = false }: Sent): Promise<string> {
      const bytes = Buffer.from(body);
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      const ended = once(socket, 'close');
      socket.setNoDelay(true);
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${keepsOpen ? 'keep-alive' : 'close'}\r\nContent-Type: ${type}\r\nContent-Length: ${length ?? bytes.length}\r\n\r\n`,
      );
      for (let at = 0; at < bytes.length; at += size) {
        if (!socket.write(bytes.subarray(at, at + size))) await once(socket, 'drain');
      }
      if (length !== undefined) socket.end();
      if (keepsOpen) {
        while (!answer.includes('token')) await once(socket, 'data');
        socket.destroy();
      }
      await ended;
      return answer.slice(answer.indexOf('\r\n\r\n') + 4);
    },
  };
}

test('the token and the file are read, however the bytes arrive', async (t) => {
  const { send, contents } = await startServer(t);
  for (const size of [1, 2, 3, 5, 17, 64, 10_000]) {
    t.regex(await send({ body: BODY, size }), /token the token/, `${size}`);
    t.is(contents.at(-1), CONTENT, `${size}`);
  }
});

test('a file of 8 MB arrives unchanged', async (t) => {
  const { send, contents } = await startServer(t);
  const content = 'jane@example.com,203.0.113.7\r\n'.repeat(280_000);
  await send({ body: BODY.replace(CONTENT, content), size: 65_536 });
  t.is(contents[0]?.length, content.length);
  t.true(contents[0] === content);
});

test('a form without a token first has no token and no file', async (t) => {
  const { send, contents } = await startServer(t);
  const [, , , , ...file] = BODY.split('\r\n');
  const afterFile = `${file.slice(0, -2).join('\r\n')}\r\n${BODY.split('\r\n').slice(0, 4).join('\r\n')}\r\n--b0--\r\n`;
  for (const body of [BODY.replace('name="csrf"', 'name="other"'), afterFile]) {
    t.regex(await send({ body }), /token $|token \r/);
    t.is(contents.at(-1), '');
  }
});

test('a file under another name, and a missing one, are empty', async (t) => {
  const { send, contents } = await startServer(t);
  const withoutFile = `${BODY.split('\r\n').slice(0, 4).join('\r\n')}\r\n--b0--\r\n`;
  for (const body of [BODY.replace('name="file"', 'name="other"'), withoutFile]) {
    t.regex(await send({ body }), /token the token/);
    t.is(contents.at(-1), '');
  }
});

test('a body that ends early, has no boundary, or has endless heads is refused', async (t) => {
  const { send, contents } = await startServer(t);
  const refusals: readonly (readonly [Sent, RegExp])[] = [
    [{ body: BODY.slice(0, -30) }, /ended before the file was complete/],
    [{ body: BODY.slice(0, 60) }, /cannot be read/],
    [{ body: BODY, type: 'multipart/form-data' }, /cannot be read/],
    [{ body: `--b0\r\n${'x'.repeat(10_000)}`, size: 100 }, /cannot be read/],
    [{ body: 'x'.repeat(5_000), size: 100 }, /cannot be read/],
    [{ body: BODY.replace('the token', 'x'.repeat(5_000)) }, /cannot be read/],
    [{ body: '' }, /cannot be read/],
  ];
  for (const [sent, message] of refusals) {
    await send(sent);
    t.regex(contents.at(-1) ?? '', message, `${String(sent.body).slice(0, 40)}`);
  }
});

test('a client that leaves ends the upload', async (t) => {
  const { send, contents } = await startServer(t);
  await send({ body: BODY.slice(0, -20), length: 100_000 });
  while (contents.length === 0) await new Promise((resolve) => setImmediate(resolve));
  t.regex(contents[0] ?? '', /ended before the file was complete/);
});

test('a file that is not read is dropped, and its sender reads the answer', async (t) => {
  const { send } = await startServer(t, false);
  const body = BODY.replace(CONTENT, 'x'.repeat(4_000_000));
  for (const sent of [body, body.slice(0, -20)]) {
    t.regex(await send({ body: sent, size: 65_536, keepsOpen: true }), /token the token/);
  }
});
