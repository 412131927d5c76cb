import type { Socket } from 'node:net';
import test from 'ava';
import { openGate, openRawApp } from './open-gate.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const answerWith = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Writes each piece after the peer has had the time to read the one before. */
async function writeApart(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const UNASKED: readonly [what: string, pieces: readonly string[], body: string][] = [
  ['alone', [CONTINUE, answerWith('ok')], 'ok'],
  ['together with the answer', [`${CONTINUE}${answerWith('ok')}`], 'ok'],
  ['twice', [`${CONTINUE}${CONTINUE}`, answerWith('ok')], 'ok'],
  ['in two pieces', [CONTINUE.slice(0, 15), CONTINUE.slice(15), answerWith('ok')], 'ok'],
  ['byte by byte', [...CONTINUE, answerWith('ok')], 'ok'],
  ['cut before the second', [`${CONTINUE}HTTP`, CONTINUE.slice(4), answerWith('ok')], 'ok'],
  ['with a field', ['HTTP/1.1 100 Continue\r\nDate: x\r\n\r\n', answerWith('ok')], 'ok'],
  ['after early hints', ['HTTP/1.1 103 Early Hints\r\n\r\n', CONTINUE, answerWith('ok')], 'ok'],
  ['in one piece with early hints', [`HTTP/1.1 103 Early Hints\r\n\r\n${CONTINUE}${answerWith('ok')}`], 'ok'],
  ['as the text of an answer', [answerWith(CONTINUE)], CONTINUE],
  [
    'as a later piece of an answer',
    [answerWith(`x${CONTINUE}`).slice(0, -CONTINUE.length), CONTINUE],
    `x${CONTINUE}`,
  ],
];

for (const [what, pieces, body] of UNASKED) {
  test(`an app may send 100 Continue unasked: ${what}`, async (t) => {
    const port = await openRawApp(t, (socket) => {
      socket.on('data', (chunk) => {
        if (chunk.toString().endsWith('hello')) void writeApart(socket, pieces);
      });
    });
    const gate = await openGate(t, port);
    // The second request uses the same connection.
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(gate.url, { method: 'POST', body: 'hello' });
      t.is(answer.status, 200);
      t.is(await answer.text(), body);
    }
  });
}

test('a 100 Continue without an end is refused', async (t) => {
  const port = await openRawApp(t, (socket) => {
    socket.on('data', () => socket.write(`HTTP/1.1 100 Continue\r\nX: ${'x'.repeat(100_000)}`));
  });
  const gate = await openGate(t, port);
  t.is((await fetch(gate.url)).status, 502);
});
