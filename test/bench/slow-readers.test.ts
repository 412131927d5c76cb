import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { streamSlowly } from '../../bench/slow-readers.ts';

test('eight clients read all there is, and memory can be read the while', async (t) => {
  const body = Buffer.alloc(2_000_000, 'x');
  let requests = 0;
  let ticks = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const bytes = await streamSlowly((server.address() as AddressInfo).port, '/', () => {
    ticks += 1;
  });
  t.is(requests, 8);
  t.true(bytes > 8 * body.length && bytes < 8 * (body.length + 1_000), `${bytes} bytes`);
  t.true(ticks > 0);
});
