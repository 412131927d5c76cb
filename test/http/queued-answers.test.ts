import type { RequestListener, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { openListener } from '../../src/http/listener.ts';
import { sendReply } from '../../src/http/reply.ts';
import { until } from '../helpers/until.ts';
import { LIMITS } from './limits.ts';
import { exchange } from './raw-client.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A listener whose requests wait until they are released. */
async function open(t: ExecutionContext, whenAsked: (response: ServerResponse) => void = () => {}) {
  const waiting: (() => void)[] = [];
  const handler: RequestListener = (request, response) => {
    whenAsked(response);
    waiting.push(() => sendReply(request, response, { status: 200, headers: [], body: request.url ?? '' }));
  };
  const listener = await openListener({ listen: { host: '127.0.0.1', port: 0 }, limits: LIMITS, handler });
  t.teardown(() => listener.close());
  const release = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { port: listener.address.port, waiting, release };
}

test('of many requests sent at once the first 33 are served, and the last answer ends the connection', async (t) => {
  const { port, waiting, release } = await open(t);
  const done = exchange(port, Array.from({ length: 90 }, (_, i) => get(`/${i}`)).join(''));
  await until(() => waiting.length === 33);
  release();
  const { answers, end } = await done;
  t.deepEqual(
    answers.map(({ body, headers }) => [body, headers.connection]),
    Array.from({ length: 33 }, (_, i) => [`/${i}`, i === 32 ? 'close' : 'keep-alive']),
  );
  t.is(end, 'closed');
  t.is(waiting.length, 0);
});

test('twenty requests sent at once keep their connection', async (t) => {
  const { port, waiting, release } = await open(t);
  const done = exchange(port, get('/a').repeat(20), { answers: 20 });
  await until(() => waiting.length === 20);
  release();
  const { answers } = await done;
  t.is(answers.filter(({ headers }) => headers.connection === 'keep-alive').length, 20);
});

for (const [title, whenAsked] of [
  ['behind unanswered ones', () => {}],
  [
    'behind one that ends the connection',
    (response: ServerResponse) => {
      response.shouldKeepAlive = false;
    },
  ],
] as const) {
  test(`hundreds of requests ${title} close the connection at once, because Node keeps each in memory`, async (t) => {
    const { port, waiting } = await open(t, whenAsked);
    const { answers, end } = await exchange(port, get('/').repeat(500));
    t.deepEqual(answers, []);
    t.not(end, 'open');
    t.true(waiting.length <= 33);
  });
}
