import { Readable } from 'node:stream';
import test from 'ava';
import type { DashboardContext } from '../../src/dashboard/router.ts';
import { beginUpload } from '../../src/dashboard/upload.ts';

const BODY = [
  '--b0',
  'Content-Disposition: form-data; name="csrf"',
  '',
  'the token',
  '--b0',
  'Content-Disposition: form-data; name="file"; filename="a.csv"',
  'Content-Type: text/csv',
  '',
  'time,email\r\n--b\r\n-- b0 \r\n\u00fc',
  '--b0--',
  '',
].join('\r\n');

function contextOf(body: string, size: number, type = 'multipart/form-data; boundary=b0'): DashboardContext {
  const bytes = Buffer.from(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return { req: Readable.from(pieces), headers: { 'content-type': type } } as unknown as DashboardContext;
}

async function textOf(file: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('the token and the file are read, however the bytes arrive', async (t) => {
  for (const size of [1, 2, 3, 5, 17, 64, 10_000]) {
    const { form, file } = await beginUpload(contextOf(BODY, size));
    t.is(form.raw('csrf'), 'the token');
    t.is(await textOf(file), 'time,email\r\n--b\r\n-- b0 \r\n\u00fc', `${size}`);
  }
});

test('a form without a token first has no token', async (t) => {
  const { form, file } = await beginUpload(contextOf(BODY.replace('name="csrf"', 'name="other"'), 10));
  t.is(form.raw('csrf'), '');
  t.is(await textOf(file), '');
});

test('a body that ends early, has no boundary, or has endless heads is refused', async (t) => {
  const { file } = await beginUpload(contextOf(BODY.slice(0, -30), 10));
  await t.throwsAsync(textOf(file), { message: /ended before the file was complete/ });
  await t.throwsAsync(beginUpload(contextOf(BODY, 10, 'multipart/form-data')), { message: /cannot be read/ });
  await t.throwsAsync(beginUpload(contextOf(`--b0\r\n${'x'.repeat(10_000)}`, 100)), {
    message: /cannot be read|ended/,
  });
  await t.throwsAsync(beginUpload(contextOf('x'.repeat(5_000), 100)), { message: /cannot be read/ });
});
