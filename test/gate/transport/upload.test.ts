import { connect } from 'node:net';
import test from 'ava';
import { createBodyBudget } from '../../../src/gate/budgets.ts';
import { openUpload, Upload } from '../../../src/gate/transport/upload.ts';
import { createUploadBuffers } from '../../../src/gate/transport/upload-buffers.ts';
import { BodyAbortedError } from '../../../src/http/read-body.ts';
import { openApp, until } from './open-gate.ts';

const BODY_BYTES = 100_000;
const PACE = { timeoutMs: 5_000, minBytesPerSecond: 1 };

for (const [title, budgetBytes, isStreamed] of [
  ['is waited for while there is room', 150_000, false],
  ['is streamed where there is no room left', 99_999, true],
] as const) {
  test(`an upload of 100 KB ${title}, and its room is released`, async (t) => {
    const budget = createBodyBudget(budgetBytes);
    const streamed: boolean[] = [];
    const app = await openApp(t, (request, response) => {
      openUpload(request, response, { ...PACE, budget, buffers: createUploadBuffers() }, (upload) => {
        const body = 'body' in upload ? upload.body : upload;
        streamed.push(body instanceof Upload);
        if (body instanceof Upload) body.resume().on('end', () => response.end());
        else response.end();
      });
    });
    for (let round = 1; round <= 3; round++) {
      const socket = connect(app.port, '127.0.0.1');
      const head = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
      socket.end(head + 'u'.repeat(BODY_BYTES));
      await new Promise((resolve) => socket.resume().on('close', resolve));
      t.is(streamed.length, round);
    }
    t.deepEqual(streamed, [isStreamed, isStreamed, isStreamed]);
  });
}

test('a sender that has disconnected by then reserves nothing', async (t) => {
  const budget = createBodyBudget(BODY_BYTES);
  const ends: unknown[] = [];
  const app = await openApp(t, (request, response) => {
    response.once('close', () => {
      openUpload(request, response, { ...PACE, budget, buffers: createUploadBuffers() }, (upload) => {
        ends.push(upload);
      });
    });
  });
  const socket = connect(app.port, '127.0.0.1', () => {
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY_BYTES}\r\n\r\nu`, () =>
      socket.destroy(),
    );
  });
  await until(() => ends.length === 1);
  t.true(ends[0] instanceof BodyAbortedError);
  t.not(budget.reserve(BODY_BYTES), null);
});

test('a body in many pieces is joined in a buffer that the next body uses again', async (t) => {
  const buffers = createUploadBuffers();
  const memory = new Set<ArrayBufferLike>();
  const bodies: string[] = [];
  const app = await openApp(t, (request, response) => {
    const budget = createBodyBudget(BODY_BYTES * 2);
    openUpload(request, response, { ...PACE, budget, buffers }, (upload) => {
      if (!('body' in upload) || !Buffer.isBuffer(upload.body)) throw new Error('no whole body');
      memory.add(upload.body.buffer);
      bodies.push(upload.body.toString('latin1'));
      upload.release?.();
      response.end();
    });
  });
  const sent = ['a', 'b', 'c'].map((letter) => `${letter.repeat(BODY_BYTES - 1)}.`);
  for (const body of sent) {
    const socket = connect(app.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
    for (let from = 0; from < BODY_BYTES; from += 25_000) {
      socket.write(body.slice(from, from + 25_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => socket.resume().on('close', resolve));
  }
  t.true(bodies.every((body, i) => body === sent[i]));
  t.is(memory.size, 1);
});

test('slow senders of small bodies hold no buffer, and their bodies are whole', async (t) => {
  const buffers = createUploadBuffers();
  let acquired = 0;
  const acquire = () => {
    acquired++;
    return buffers.acquire();
  };
  const limits = { ...PACE, budget: createBodyBudget(0), buffers: { ...buffers, acquire } };
  const bodies: string[] = [];
  let begun = 0;
  const app = await openApp(t, (request, response) => {
    begun++;
    openUpload(request, response, limits, (upload) => {
      if ('body' in upload && Buffer.isBuffer(upload.body)) bodies.push(upload.body.toString());
      response.end();
    });
  });
  const sockets = Array.from({ length: 20 }, () => connect(app.port, '127.0.0.1'));
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n';
  for (const socket of sockets) socket.resume().write(`${head}slow `);
  await until(() => begun === 20);
  for (const socket of sockets) socket.write('start');
  await until(() => bodies.length === 20);
  t.true(bodies.every((body) => body === 'slow start'));
  t.is(acquired, 0);
});
