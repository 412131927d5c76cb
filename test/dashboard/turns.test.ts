import test from 'ava';
import { placeInFlood } from '../http/place-in-flood.ts';
import { startDashboard } from './dashboard-server.ts';

const COUNT = 200;

test('a flood from one client behind a trusted proxy does not delay the pages of another', async (t) => {
  const { url } = await startDashboard(t, {
    config: (base) => ({ ...base, dashboard: { ...base.dashboard, trusted_proxies: ['127.0.0.1'] } }),
  });
  const { host, port } = new URL(url);
  const from = (address: string) =>
    `GET /sign-in HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  const payload = from('203.0.113.9');
  const place = await placeInFlood(t, {
    port: Number(port),
    payload,
    count: COUNT,
    last: from('198.51.100.7'),
  });
  t.true(place < COUNT / 2, `answered as number ${place} of ${COUNT + 1}`);
});
