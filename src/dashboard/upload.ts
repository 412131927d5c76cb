import { CSRF_FIELD } from './accounts/csrf.ts';
import { type Form, readFields } from './form.ts';
import { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

const MAX_HEAD_BYTES = 4_096;
const MAX_FIELD_BYTES = 1_024;
/** 50 MB at 2 Mbit/s take 200 s. */
const TIME_LIMIT_MS = 6 * 60_000;
const CUT_OFF = 'The upload ended before the file was complete. Upload it again.';

/** An upload whose file is still being sent. */
export interface Upload {
  /** With the token of the form, which comes before the file. */
  readonly form: Form;
  /** The bytes of the file as they arrive. Empty when no file was chosen. */
  readonly file: AsyncIterable<Buffer>;
}

/**
 * Reads a form of `multipart/form-data` up to its file, so that nothing of a forged one is read. The file must be the part
 * after the token.
 * @throws PageError when the body has another form.
 */
export async function beginUpload({ req, headers }: DashboardContext): Promise<Upload> {
  const [, quoted, plain] =
    /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new PageError(400, 'The form cannot be read.');
  const timer = setTimeout(() => req.destroy(), TIME_LIMIT_MS).unref();
  req.once('close', () => clearTimeout(timer));
  // What is left after an error is still received and dropped, or the browser would not read the answer.
  const parts = partsOf(req.iterator({ destroyOnReturn: false }), boundary);
  const token = await parts.next();
  if (token.done || token.value.name !== CSRF_FIELD) return { form: readFields(null), file: nothing() };
  const form = readFields({ [CSRF_FIELD]: await textOf(token.value.content) });
  return { form, file: fileAmong(parts) };
}

interface Part {
  readonly name: string;
  readonly content: AsyncGenerator<Buffer>;
}

async function* fileAmong(parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  const part = await parts.next();
  if (!part.done && part.value.name === 'file') yield* part.value.content;
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** The content of each part must be read before the next part. */
async function* partsOf(chunks: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<Part> {
  // The first boundary has no line break before it.
  let rest: Buffer = Buffer.from('\r\n');
  const more = async () => {
    const { done, value } = await chunks.next();
    if (done) throw new PageError(400, CUT_OFF);
    rest = Buffer.concat([rest, value]);
  };
  const take = (bytes: number) => {
    const taken = rest.subarray(0, bytes);
    rest = rest.subarray(bytes);
    return taken;
  };
  async function* until(end: Buffer): AsyncGenerator<Buffer> {
    for (let at = rest.indexOf(end); at < 0; at = rest.indexOf(end)) {
      const safe = rest.length - end.length + 1;
      if (safe > 0) yield take(safe);
      await more();
    }
    yield take(rest.indexOf(end));
    take(end.length);
  }
  const end = Buffer.from(`\r\n--${boundary}`);
  await textOf(until(end));
  for (;;) {
    while (rest.length < 2) await more();
    if (take(2).toString() !== '\r\n') return;
    const head = await textOf(until(Buffer.from('\r\n\r\n')), MAX_HEAD_BYTES);
    yield { name: /\bname="([^"]*)"/i.exec(head)?.[1] ?? '', content: until(end) };
  }
}

async function textOf(content: AsyncIterable<Buffer>, limit = MAX_FIELD_BYTES): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > limit) throw new PageError(400, 'The form cannot be read.');
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}
