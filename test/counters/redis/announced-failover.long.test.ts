import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { parseCountersUrl } from '../../../src/config/counters-url.ts';
import { openRedis } from '../../../src/counters/redis/open-redis.ts';
import { pause, REDIS_PROGRAMS, startRedis } from '../../helpers/redis-server.ts';
import { until } from '../../helpers/shared-counters.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test;
const WITHIN_MS = 60_000;
const CHANNEL = '+switch-master';
const bulk = (...texts: readonly string[]) => texts.map((text) => `$${text.length}\r\n${text}\r\n`).join('');

/** Speaks as a Sentinel, and announces a failover at the moment in which it is asked: a real one does so by chance. */
async function openSentinel(t: ExecutionContext, masterPort: number) {
  const subscribers = new Set<Socket>();
  const sentinel = { port: 0, subscribers, announcesWhenAsked: false, announced: 0 };

  async function answer(socket: Socket, word: string): Promise<void> {
    if (word === 'client') socket.write('+OK\r\n');
    if (word === 'sentinels') socket.write('*0\r\n');
    if (word === 'subscribe') {
      subscribers.add(socket);
      socket.write(`*3\r\n${bulk('subscribe', CHANNEL)}:1\r\n`);
    }
    if (word !== 'get-master-addr-by-name') return;
    if (sentinel.announcesWhenAsked) {
      for (const one of subscribers) one.write(`*3\r\n${bulk('message', CHANNEL, 'main')}`);
      sentinel.announced += subscribers.size;
      await pause(50);
    }
    socket.write(`*2\r\n${bulk('127.0.0.1', String(masterPort))}`);
  }

  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('close', () => subscribers.delete(socket));
    socket.on('data', (bytes) => {
      for (const word of bytes.toString().toLowerCase().split('\r\n')) void answer(socket, word);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  sentinel.port = (server.address() as AddressInfo).port;
  return sentinel;
}

run(
  'a failover that is announced while a Sentinel is asked for the master does not end the connection',
  async (t) => {
    const first = await startRedis();
    t.teardown(() => first.stop());
    const sentinel = await openSentinel(t, first.port);
    const url = parseCountersUrl(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
    if (!url) throw new Error('no URL of counters');
    const connection = openRedis(url);
    t.teardown(() => connection.close());
    t.true(
      await until(() => connection.settle(WITHIN_MS).then(() => sentinel.subscribers.size > 0), WITHIN_MS),
    );
    t.is((await connection.memoryLimits()).length, 1);

    sentinel.announcesWhenAsked = true;
    await first.kill();
    t.true(await until(async () => sentinel.announced > 0, WITHIN_MS));
    sentinel.announcesWhenAsked = false;
    const again = await startRedis([], { port: first.port });
    t.teardown(() => again.stop());
    const isBack = () =>
      connection.memoryLimits().then(
        () => true,
        () => false,
      );
    t.true(await until(isBack, WITHIN_MS));
  },
);
