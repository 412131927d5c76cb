import { randomBytes } from 'node:crypto';
import { type GateServerOptions, openGateServer } from './gate-server.ts';

export const GOOD = 'ada@company.example';
export const EVIL = 'high@company.example';
export const PICTURE = randomBytes(3_000_000);
/** A short mark occurs in one of six such pictures by chance. */
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

type Field = readonly [name: string, value: string | Buffer];

/** A form; fields with bytes are files. */
export function multipart(fields: readonly Field[]): Buffer {
  const parts = fields.flatMap(([name, value]) => {
    const file = Buffer.isBuffer(value) ? '; filename="ann & me.png"\r\nContent-Type: image/png' : '';
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value as string), Buffer.from('\r\n')];
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Sends the body to the signup path of a new gate. */
export async function send(
  options: GateServerOptions & { readonly t: Parameters<typeof openGateServer>[0] },
  body: Buffer | ReadableStream,
  { type = MULTIPART, method = 'POST', headers = {} } = {},
) {
  const server = await openGateServer(options.t, options);
  const isStream = body instanceof ReadableStream;
  const answer = await fetch(`${server.url}/signup`, {
    method,
    headers: { 'content-type': type, ...headers },
    body,
    ...(isStream && { duplex: 'half' }),
  } as RequestInit);
  return { server, answer, text: await answer.text() };
}
