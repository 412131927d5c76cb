import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ExecutionContext } from 'ava';

const read = (name: string) => readFileSync(new URL(`../http/testdata/${name}`, import.meta.url));

/** A server of PostgreSQL up to its TLS handshake, with a certificate that no authority signed. */
export async function startUntrustedPostgres(t: ExecutionContext): Promise<{ readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    // The client asks for TLS, and `S` accepts.
    socket.once('data', () => {
      socket.write('S');
      const secured = new TLSSocket(socket, { isServer: true, cert: read('one.crt'), key: read('one.key') });
      secured.on('error', () => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port };
}
