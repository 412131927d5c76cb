import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { CSRF_FIELD } from './accounts/csrf.ts';
import { type Form, readFields } from './form.ts';
import { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

/** The token and the file. */
const LIMITS = { fields: 1, fieldSize: 1_024, files: 1, parts: 2, headerPairs: 8, headerSize: 4_096 };
/** 50 MB at 2 Mbit/s take 200 s. */
const TIME_LIMIT_MS = 6 * 60_000;
const UNREADABLE = 'The form cannot be read.';
const CUT_OFF = 'The upload ended before the file was complete. Upload it again.';

/** An upload whose file is still being sent. */
export interface Upload {
  /** The fields before the file, with the token of the form. */
  readonly form: Form;
  /** The bytes of the file as they arrive. Empty when no file was chosen, and in a form without a token before it. */
  readonly file: AsyncIterable<Buffer>;
}

/**
 * Reads a form of `multipart/form-data` up to its file, so that nothing of a forged one is kept. The token must be the part
 * before the file.
 * @throws PageError when the body has another form.
 */
export async function beginUpload({ req, res, headers }: DashboardContext): Promise<Upload> {
  const parser = openParser(headers['content-type']);
  const timer = setTimeout(() => req.destroy(), TIME_LIMIT_MS).unref();
  req.once('close', () => clearTimeout(timer));
  const begun = new Promise<Upload>((resolve, reject) => {
    let form: Form | null = null;
    parser.on('field', (name, value, _isNameCut, isValueCut) => {
      if (isValueCut) reject(new PageError(400, UNREADABLE));
      form = readFields(name === CSRF_FIELD ? { [CSRF_FIELD]: value } : null);
    });
    parser.on('file', (name, file) => {
      const isWanted = form?.raw(CSRF_FIELD) && name === 'file';
      // An error of a file that no one reads must not end the process. A later reader receives it.
      file.on('error', () => file.destroy());
      req.once('close', () => {
        if (!req.readableEnded) file.destroy();
      });
      if (!isWanted) file.resume();
      resolve({ form: form ?? readFields(null), file: isWanted ? contentOf(file) : nothing() });
    });
    parser.on('finish', () => {
      if (form) resolve({ form, file: nothing() });
      else reject(new PageError(400, UNREADABLE));
    });
    parser.on('error', () => reject(new PageError(400, UNREADABLE)));
    req.once('close', () => {
      if (!req.readableEnded) reject(new PageError(400, CUT_OFF));
    });
  });
  // What is left after an answer is still received and dropped, or the browser would not read the answer.
  res.once('close', () => {
    req.unpipe(parser);
    req.resume();
  });
  req.pipe(parser);
  return begun;
}

function openParser(contentType: string | undefined): BusboyInstance {
  const headers: BusboyHeaders = { 'content-type': contentType ?? '' };
  try {
    return new Busboy({ headers, limits: LIMITS });
  } catch {
    throw new PageError(400, UNREADABLE);
  }
}

/** @throws PageError when the request ends within the file. */
async function* contentOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) yield chunk;
  } catch {
    throw new PageError(400, CUT_OFF);
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
