import bodyParser from 'koa-bodyparser';
import { type Form, readFields } from './form.ts';
import { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';
import { beginUpload } from './upload.ts';

/** An operator may import a list. */
const LIST_LIMIT = '4mb';
const LIST_PATH = '/lists';
/** A large form of a passkey whose authenticator shows its certificates has 10 KB. */
const SIGNED_IN_LIMIT = '64kb';
const LIMIT = '16kb';
const TIMEOUT_MS = 30_000;
const UPLOAD_PATHS: ReadonlySet<string> = new Set(['/simulator/file']);

/** Reading a form of 4 MB holds the event loop for up to a second, so only operators may send one. */
const parsers = {
  list: parserFor(LIST_LIMIT),
  signedIn: parserFor(SIGNED_IN_LIMIT),
  others: parserFor(LIMIT),
};

/**
 * The fields of a posted form.
 *
 * @throws PageError when the body is not a form, is too large, or does not arrive in time.
 */
export async function readForm(context: DashboardContext): Promise<Form> {
  if (takesUpload(context)) {
    const { form, file } = await beginUpload(context);
    context.state.upload = file;
    return form;
  }
  if (!context.is('application/x-www-form-urlencoded')) {
    throw new PageError(403, 'Only forms of this site are accepted.');
  }
  if (context.headers.expect !== undefined) context.res.writeContinue();
  const timer = setTimeout(() => context.req.destroy(), TIMEOUT_MS);
  try {
    const parse = parserOf(context);
    await parse(context as Parameters<typeof parse>[0], async () => {});
  } catch (error) {
    throw toPageError(error);
  } finally {
    clearTimeout(timer);
  }
  return readFields(context.request.body);
}

/**
 * Reads the upload of an operator, on a page with an upload. All other uploads are refused before a byte of a file is
 * read.
 */
function takesUpload(context: DashboardContext): boolean {
  return (
    context.state.viewer?.role === 'operator' &&
    UPLOAD_PATHS.has(context.path) &&
    context.is('multipart/form-data') !== false
  );
}

function parserOf({ state: { viewer }, path }: DashboardContext) {
  if (viewer?.role === 'operator' && path === LIST_PATH) return parsers.list;
  return viewer ? parsers.signedIn : parsers.others;
}

function parserFor(formLimit: string) {
  return bodyParser({ enableTypes: ['form'], formLimit });
}

function toPageError(error: unknown): unknown {
  const { status } = error as { readonly status?: unknown };
  if (status === 413) return new PageError(413, 'The form is too large.');
  return typeof status === 'number' && status < 500 ? new PageError(400, 'The form cannot be read.') : error;
}
