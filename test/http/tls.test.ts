import { readFileSync } from 'node:fs';
import { connect as connectRaw } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { openListener } from '../../src/http/listener.ts';
import { peerAddress } from '../../src/http/proxy-protocol.ts';
import { LIMITS } from './limits.ts';
import { exchange } from './raw-client.ts';

const pem = (name: string) => readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8');
const ONE = { cert: pem('one.crt'), key: pem('one.key') };
const TWO = { cert: pem('two.crt'), key: pem('two.key') };

async function open(t: ExecutionContext, proxied = false) {
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: { ...LIMITS, drain_timeout: 200 },
    tls: ONE,
    ...(proxied && { speaksProxyProtocol: () => true }),
    handler: (request, response) =>
      response.end(`${'encrypted' in request.socket} ${peerAddress(request.socket)}`),
  });
  t.teardown(() => listener.close());
  return listener;
}

function secure(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false },
      () => resolve(socket),
    );
    socket.on('error', reject);
  });
}

function ask(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(String(chunk)));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  });
}

test('a listener with a certificate speaks HTTPS', async (t) => {
  const { address } = await open(t);
  const socket = await secure(address.port);
  t.teardown(() => socket.destroy());
  t.is(socket.getPeerCertificate().subject.CN, 'one.example');
  t.regex(await ask(socket), /^HTTP\/1\.1 200 OK\r\n[\s\S]*true 127\.0\.0\.1$/);
});

test('new connections get another certificate, and open connections continue', async (t) => {
  const listener = await open(t);
  const before = await secure(listener.address.port);
  listener.setTls(TWO);
  const after = await secure(listener.address.port);
  t.teardown(() => [before, after].forEach((socket) => void socket.destroy()));
  t.is(after.getPeerCertificate().subject.CN, 'two.example');
  t.regex(await ask(before), /^HTTP\/1\.1 200/);
});

test('a certificate that does not match its key is refused, and the old one stays', async (t) => {
  const listener = await open(t);
  t.throws(() => listener.setTls({ cert: ONE.cert, key: TWO.key }));
  const socket = await secure(listener.address.port);
  t.teardown(() => socket.destroy());
  t.is(socket.getPeerCertificate().subject.CN, 'one.example');
});

test('plain HTTP and garbage on a TLS port end their own connection alone', async (t) => {
  const { address } = await open(t);
  for (const bytes of ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\x16\x03\x01\xff\xff\x01', '\0'.repeat(600)]) {
    const { answers } = await exchange(address.port, bytes, { waitMs: 300 });
    t.is(answers.length, 0);
  }
  const socket = await secure(address.port);
  t.teardown(() => socket.destroy());
  t.regex(await ask(socket), /^HTTP\/1\.1 200/);
});

test('a PROXY header before the handshake names the client', async (t) => {
  const { address } = await open(t, true);
  const raw = connectRaw(address.port, '127.0.0.1');
  t.teardown(() => raw.destroy());
  raw.write('PROXY TCP4 198.51.100.7 10.0.0.1 8080 80\r\n');
  const socket = connect({ socket: raw, servername: 'localhost', rejectUnauthorized: false });
  t.regex(await ask(socket), /true 198\.51\.100\.7$/);
});

test('closing ends handshakes that do not come to an end', async (t) => {
  const listener = await open(t);
  const raw = connectRaw(listener.address.port, '127.0.0.1', () => raw.write('\x16\x03'));
  const ended = new Promise((resolve) => raw.on('close', resolve));
  raw.on('error', () => {});
  await new Promise((resolve) => raw.on('connect', resolve));
  await listener.close();
  await ended;
  t.true(raw.destroyed);
});
