import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

const ASKS_FOR_SCRAM = 10;
const CHALLENGE = 11;

/** A server of PostgreSQL up to its question for a password. It leaves connections open. */
export async function startScramServer(t: ExecutionContext) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => {
      socket.write(authentication(ASKS_FOR_SCRAM, 'SCRAM-SHA-256\0\0'));
      socket.once('data', (answer) => {
        const nonce = /r=([^,]+)$/.exec(answer.toString('latin1'))?.[1];
        socket.write(authentication(CHALLENGE, `r=${nonce}server,s=c2FsdA==,i=4096`));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function authentication(kind: number, text: string): Buffer {
  const numbers = Buffer.alloc(8);
  numbers.writeInt32BE(8 + text.length, 0);
  numbers.writeInt32BE(kind, 4);
  return Buffer.concat([Buffer.from('R'), numbers, Buffer.from(text)]);
}
