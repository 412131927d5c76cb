import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type GateServerOptions, openGateServer } from './gate-server.ts';

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const OPEN_FILES = '/proc/self/fd';
const DELETED = ' (deleted)';
const SPOOL = /\/gatekeeper-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How many files of uploads this process has open. They are unlinked: the folder does not list them. */
function countOpenSpools(folder: string): number {
  return readdirSync(OPEN_FILES).filter((descriptor) => {
    try {
      const path = readlinkSync(`${OPEN_FILES}/${descriptor}`);
      return path.startsWith(folder) && path.endsWith(DELETED) && SPOOL.test(path.slice(0, -DELETED.length));
    } catch {
      // Closed since the folder was listed.
      return false;
    }
  }).length;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

function form(email: string, pictureBytes = 3_000_000): Buffer {
  const head = (disposition: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(`${head('name="email"')}${email}\r\n${head('name="picture"; filename="a.png"')}`),
    randomBytes(pictureBytes),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

interface Upload {
  readonly email: string;
  readonly options?: GateServerOptions;
  /** Sends the upload, and returns when its client knows its end. */
  readonly send: (port: number, body: Buffer, isOpen: () => Promise<void>) => Promise<unknown>;
}

async function post(port: number, body: Buffer): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/signup`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: new Uint8Array(body),
  });
  return status;
}

function begin(port: number, body: Buffer, bytes: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  socket.write(
    `POST /signup HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, bytes));
  return socket;
}

const UPLOADS: Readonly<Record<string, Upload>> = {
  'the app answers': { email: 'ada@company.example', send: post },
  'the signup is refused': { email: 'high@company.example', send: post },
  'the files are too large': {
    email: 'ada@company.example',
    send: (port, body) => post(port, Buffer.concat([body, Buffer.alloc(40_000_000)])).catch(() => 'closed'),
  },
  'the app cannot be reached': {
    email: 'ada@company.example',
    options: { upstreamUrl: 'http://127.0.0.1:1' },
    send: post,
  },
  'the app closes the connection': {
    email: 'ada@company.example',
    options: { app: (request) => void request.socket.destroy() },
    send: post,
  },
  'the client disconnects during the upload': {
    email: 'ada@company.example',
    async send(port, body, isOpen) {
      const socket = begin(port, body, 2_000_000);
      await isOpen();
      socket.destroy();
    },
  },
  'the client disconnects before the answer': {
    email: 'ada@company.example',
    options: { app: () => {} },
    async send(port, body, isOpen) {
      const socket = begin(port, body, body.length);
      await isOpen();
      socket.destroy();
    },
  },
};

// One after the other: `TMPDIR` and the open files belong to the process.
for (const [end, { email, options, send }] of Object.entries(UPLOADS)) {
  test.serial(`the file of a large upload is unlinked at once, and closed when ${end}`, async (t) => {
    if (!existsSync(OPEN_FILES)) {
      t.pass('this system does not list the open files of a process');
      return;
    }
    const { TMPDIR } = process.env;
    const folder = temporaryFolder(t);
    process.env.TMPDIR = folder;
    t.teardown(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    });
    const server = await openGateServer(t, options);
    const isOpen = () => until(() => countOpenSpools(folder) === 1);
    const ended = send(server.port, form(email), isOpen);
    await isOpen();
    await ended;
    await until(() => countOpenSpools(folder) === 0);
    t.deepEqual(
      readdirSync(folder).filter((name) => SPOOL.test(`/${name}`)),
      [],
    );
  });
}
