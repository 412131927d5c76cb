import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import test from 'ava';
import { parseCidr } from '../../src/addresses/ip-address.ts';
import { AddressRefusedError, isAllowedAddress, lookupAllowed } from '../../src/exports/lookup-allowed.ts';
import { createWebhookClient } from '../../src/exports/post-webhook.ts';
import { serveFeed } from '../helpers/feed-server.ts';

const LOOPBACK = ['127.0.0.0/8'];

const refused = [
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fe80::1',
  'fd00::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '224.0.0.1',
  'not an address',
];
for (const address of refused) {
  test(`a webhook never goes to ${address} unless its network is named`, (t) => {
    t.false(isAllowedAddress(address, []));
  });
}

test('public addresses and named networks are allowed', (t) => {
  const networks = ['10.0.0.0/8', '::1'].map(parseCidr).filter((cidr) => cidr !== null);
  for (const address of ['203.0.114.9', '2606:4700::1111', '10.1.2.3', '::1', '::ffff:10.0.0.1'])
    t.true(isAllowedAddress(address, networks), address);
  t.false(isAllowedAddress('127.0.0.1', networks));
});

const spellings = [
  '127.0.0.1',
  '[::1]',
  '2130706433',
  '0x7f.1',
  '[::ffff:127.0.0.1]',
  'localhost',
  '0.0.0.0',
];
for (const host of spellings) {
  test(`a receiver at http://${host} gets nothing`, async (t) => {
    const server = await serveFeed(t, (_, response) => response.end());
    const client = createWebhookClient(`http://${host}:${new URL(server.origin).port}/`, []);
    t.teardown(client.close);
    t.deepEqual(await client.post({}, '{}'), {
      isDelivered: false,
      because: 'address_refused',
      retryAfterMs: null,
    });
    t.is(server.requests.length, 0);
  });
}

test('a connection uses the addresses that were checked, and no second answer of the name server', async (t) => {
  const look = (lookup: LookupFunction, all: boolean) =>
    new Promise<unknown>((resolve) => {
      lookup('localhost', { all }, (error, address) => resolve(error ?? address));
    });
  t.true((await look(lookupAllowed([]), true)) instanceof AddressRefusedError);
  const networks = LOOPBACK.map(parseCidr).filter((cidr) => cidr !== null);
  t.deepEqual(await look(lookupAllowed(networks), true), [{ address: '127.0.0.1', family: 4 }]);
  t.is(await look(lookupAllowed(networks), false), '127.0.0.1');
});

test('a message arrives with its headers and body, over one connection', async (t) => {
  const bodies: string[] = [];
  const ports = new Set<number>();
  const server = await serveFeed(t, (request, response) => {
    ports.add(request.socket.remotePort ?? 0);
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  const client = createWebhookClient(`${server.origin.replace('//', '//user:pass@')}/path?x=1`, LOOPBACK);
  t.teardown(client.close);
  for (let i = 0; i < 3; i++)
    t.deepEqual(await client.post({ 'webhook-id': 'a' }, '{"ü":1}'), { isDelivered: true });
  t.deepEqual(bodies, ['{"ü":1}', '{"ü":1}', '{"ü":1}']);
  const [request] = server.requests;
  t.like(request, { method: 'POST', url: '/path?x=1' });
  t.like(request?.headers, {
    'content-type': 'application/json',
    'webhook-id': 'a',
    'user-agent': 'Gatekeeper',
  });
  t.is(request?.headers.authorization, `Basic ${Buffer.from('user:pass').toString('base64')}`);
  t.is(ports.size, 1);
});

test('every other answer is a failure, and a redirect is not followed', async (t) => {
  const answers = [500, 301, 410, 429, 400];
  const server = await serveFeed(t, (request, response) => {
    request.resume();
    const status = answers[server.requests.length - 1] ?? 200;
    response.writeHead(status, {
      location: 'http://127.0.0.1:1/',
      ...(status === 429 && { 'retry-after': '7' }),
    });
    response.end('no');
  });
  const client = createWebhookClient(server.origin, LOOPBACK);
  t.teardown(client.close);
  for (const status of answers) {
    const retryAfterMs = status === 429 ? 7_000 : null;
    t.deepEqual(await client.post({}, '{}'), {
      isDelivered: false,
      because: `status_${status}`,
      retryAfterMs,
    });
  }
  t.is(server.requests.length, answers.length);
});

test('a receiver that never answers, one that cuts the connection and one that is not there are failures', async (t) => {
  const silent = await serveFeed(t, () => {});
  const cutting = await serveFeed(t, (request) => request.socket.destroy());
  const half = await serveFeed(t, (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => response.socket?.destroy());
  });
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  const because = async (url: string, timeoutMs = 30_000) => {
    const client = createWebhookClient(url, LOOPBACK, timeoutMs);
    const result = await client.post({}, '{}');
    client.close();
    return result.isDelivered ? 'delivered' : result.because;
  };
  t.is(await because(silent.origin, 200), 'timeout');
  t.is(await because(cutting.origin), 'unreachable');
  t.is(await because(half.origin), 'unreachable');
  t.is(await because(`http://127.0.0.1:${port}`), 'unreachable');
  t.is(await because('http://receiver.invalid'), 'not_resolved');
});

test('an endless answer ends with its bound', async (t) => {
  const server = await serveFeed(t, (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', write);
    write();
  });
  const client = createWebhookClient(server.origin, LOOPBACK, 5_000);
  t.teardown(client.close);
  t.deepEqual(await client.post({}, '{}'), { isDelivered: true });
});
