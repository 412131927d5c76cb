import test from 'ava';
import { placeInFlood } from '../http/place-in-flood.ts';
import { openApiServer } from './api-server.ts';

const COUNT = 400;

for (const [title, payload] of [
  ['requests with an unknown key', 'GET /usage HTTP/1.1\r\nHost: a\r\nX-API-Key: unknown\r\n\r\n'],
  ['health checks', 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'],
] as const) {
  test(`a flood of ${title} from one address does not delay a client elsewhere`, async (t) => {
    const { port } = await openApiServer(t);
    const last = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
    const place = await placeInFlood(t, { port, payload, count: COUNT, last, lastFrom: '127.0.0.2' });
    t.true(place < COUNT / 2, `answered as number ${place} of ${COUNT + 1}`);
  });
}

test('the health checks of a load balancer do not wait behind the requests that it forwards', async (t) => {
  const { port } = await openApiServer(t);
  const payload = 'GET /usage HTTP/1.1\r\nHost: a\r\nX-API-Key: unknown\r\n\r\n';
  const place = await placeInFlood(t, {
    port,
    payload,
    count: COUNT,
    last: 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n',
  });
  t.true(place < COUNT / 2, `answered as number ${place} of ${COUNT + 1}`);
});
