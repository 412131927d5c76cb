import { get } from 'node:http';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { ask, problemOf } from './ask-gate.ts';
import { openApp, openGate, openRawApp, until } from './open-gate.ts';

test('an unreachable upstream is 502, a silent one 504, and the answer never names its address', async (t) => {
  const silent = await openRawApp(t, () => {});
  const closed = await openRawApp(t, (socket) => socket.destroy());
  const cases = [
    [9, 502, 'bad_gateway'],
    [closed, 502, 'bad_gateway'],
    [silent, 504, 'gateway_timeout'],
  ] as const;
  for (const [port, status, code] of cases) {
    const gate = await openGate(t, port, { timeouts: { response: 100 } });
    const answer = await ask(gate.url, { method: 'POST' }, 'x');
    t.is(answer.status, status);
    t.is(problemOf(answer).code, code);
    t.is(answer.headers['content-type'], 'application/problem+json');
    t.notRegex(answer.body.toString(), /127\.0\.0\.1|ECONN/);
    t.is(gate.outcomes[0]?.sent, port !== 9);
  }
});

/** An app that answers a request with `interim` interim answers, and then the final answer. */
function openInterimApp(t: ExecutionContext, { interim }: { readonly interim: number }): Promise<number> {
  return openRawApp(t, (socket) => {
    let sent = 0;
    socket.once('data', () => {
      const timer = setInterval(() => {
        if (sent++ < interim) return socket.write('HTTP/1.1 102 Processing\r\n\r\n');
        clearInterval(timer);
        return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }, 40);
      socket.on('close', () => clearInterval(timer));
    });
  });
}

test('102 Processing extends the time to answer, but an app that sends nothing else is 504', async (t) => {
  // The answer takes longer than the timeout, and a busy machine pauses for less than it.
  const useful = await openGate(t, await openInterimApp(t, { interim: 45 }), {
    timeouts: { response: 1_500 },
  });
  t.is((await ask(useful.url)).status, 200);
  const app = await openInterimApp(t, { interim: Number.POSITIVE_INFINITY });
  const endless = await openGate(t, app, { timeouts: { response: 100 } });
  const refused = await ask(endless.url, { method: 'POST' }, 'x');
  t.is(refused.status, 504);
  t.is(problemOf(refused).code, 'gateway_timeout');
  t.true(endless.outcomes[0]?.sent);
});

const BROKEN_ANSWERS = [
  'garbage\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
  `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
  'HTTP/1.1 200 OK\r\nX: a\u0000b\r\nContent-Length: 0\r\n\r\n',
];

test('an answer that is not HTTP is 502, and the next answer is forwarded', async (t) => {
  for (const broken of BROKEN_ANSWERS) {
    let answers = 0;
    const port = await openRawApp(t, (socket) => {
      socket.on('data', () =>
        socket.write(answers++ === 0 ? broken : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      );
    });
    const gate = await openGate(t, port);
    t.is((await ask(gate.url)).status, 502, broken.slice(0, 60));
    t.is((await ask(gate.url)).status, 200);
  }
});

test('a reason phrase with a control character does not end the process', async (t) => {
  const port = await openRawApp(t, (socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 200 O\u0007K\r\nContent-Length: 2\r\n\r\nok'));
  });
  const gate = await openGate(t, port);
  t.true([200, 502].includes((await ask(gate.url)).status));
});

const TRUNCATED: readonly (readonly [string, string, '1.0' | '1.1'])[] = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome', '1.1'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', '1.1'],
  ['chunks, to HTTP/1.0', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', '1.0'],
];

for (const [title, start, version] of TRUNCATED) {
  test(`an upstream that dies in the body never makes a clean end: ${title}`, async (t) => {
    const port = await openRawApp(t, (socket) => {
      socket.on('data', () => socket.write(start, () => setImmediate(() => socket.destroy())));
    });
    const gate = await openGate(t, port);
    const end = await new Promise<string>((resolve) => {
      const socket = connect(gate.port, '127.0.0.1', () =>
        socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => resolve('reset'));
      socket.on('close', () => resolve(text));
    });
    if (version === '1.0') t.is(end, 'reset');
    else t.notRegex(end, /\r\n0\r\n\r\n$|.{100}$/);
  });
}

test('an upstream that resets an answer without a length never makes a clean end', async (t) => {
  const port = await openRawApp(t, (socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf of a file');
      // The client has the first half, so the reset cannot overtake it.
      received.then(() => socket.resetAndDestroy());
    });
  });
  let onReceived = () => {};
  const received = new Promise<void>((resolve) => {
    onReceived = resolve;
  });
  const gate = await openGate(t, port);
  const error = await new Promise<Error | null>((resolve) => {
    get(gate.url, (answer) => {
      answer
        .once('data', onReceived)
        .on('error', resolve)
        .on('end', () => resolve(null));
    });
  });
  t.is(error?.message, 'aborted');
  t.is(gate.outcomes[0]?.problem?.code, 'bad_gateway');
});

test('the caller may answer a failure in its own way', async (t) => {
  const told: string[] = [];
  const gate = await openGate(t, 9, { forward: { onProblem: (problem) => void told.push(problem.code) } });
  const socket = connect(gate.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  t.teardown(() => socket.destroy());
  await until(() => told.length === 1);
  t.deepEqual(told, ['bad_gateway']);
});

test('an upstream that fails is logged when it begins to, and when it is back', async (t) => {
  let broken = true;
  const app = await openApp(t, (request, response) =>
    broken ? request.socket.destroy() : response.end('ok'),
  );
  const gate = await openGate(t, app.port);
  for (let i = 0; i < 3; i++) await ask(gate.url);
  broken = false;
  for (let i = 0; i < 3; i++) await ask(gate.url);
  t.deepEqual(gate.logged, [
    'the application behind the gate does not answer',
    'the application behind the gate answers again',
  ]);
});
