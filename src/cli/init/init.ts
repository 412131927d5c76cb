import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../config/config-error.ts';
import { reasonOf } from '../../config/read-text-file.ts';
import { completeOrigin, parseOrigin } from '../../config/url-formats.ts';
import type { WithConfig } from '../command.ts';
import type { CommandContext, ExitCode } from '../command-context.ts';
import { loadFrom } from '../load-config.ts';
import { quoted } from '../own-command.ts';
import { readSignupForm, type SignupForm } from './read-form.ts';
import { writeConfig } from './write-config.ts';

export interface InitArguments extends WithConfig {
  readonly upstream?: string;
  readonly path?: string;
  readonly email?: string;
  readonly listen?: string;
}

export interface InitOptions extends InitArguments {
  /** The command with which the user runs this program. */
  readonly command: string;
}

/** Asks a person one question. Null without a terminal. */
export type Ask = ((question: string) => Promise<string>) | null;

const DEFAULT_FILE = 'gatekeeper.yaml';
const DEFAULTS = { listen: '127.0.0.1:8000', upstream: 'localhost:3000', path: '/signup', email: 'email' };
/** A development server (Vite, Next.js) compiles a page at its first request. */
const TIMEOUT_MS = 15_000;
/** The largest page that is read. A page with a form is smaller. */
const MAX_PAGE_BYTES = 1_048_576;
const MAX_TRIES = 3;

/**
 * `gatekeeper init`: asks for the app, the page with the form and the email field, checks them with the running app,
 * and writes a configuration for a dry run. Never overwrites a file.
 */
export async function init(options: InitOptions, context: CommandContext, ask: Ask): Promise<ExitCode> {
  const { cwd, write, writeError } = context;
  const { command } = options;
  const file = options.config ?? DEFAULT_FILE;
  const target = resolve(cwd, file);
  if (existsSync(target)) {
    writeError(`${file} already exists. Edit it, or name another file with --config.\n`);
    return 1;
  }
  const upstream = await findApp(options, context, ask);
  if (upstream === null) return 1;
  const page = options.path ?? (await answerOr(ask, 'The page with the signup form', DEFAULTS.path));
  const path = page.startsWith('/') ? page : `/${page}`;
  const form = await findForm(upstream, path, { file, write });
  const suggested = form?.emailField ?? DEFAULTS.email;
  const emailField = options.email ?? (await answerOr(ask, 'The field of the form for the email', suggested));
  const listen = options.listen ?? DEFAULTS.listen;
  const [pathname = path, query = ''] = path.split('?', 2);
  const { path: routePath, sharesPath } = form ?? { path: pathname, sharesPath: query !== '' };
  const text = writeConfig({ listen, upstream, path: routePath, emailField, sharesPath });
  try {
    loadFrom(context)(file, text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    writeError(`${error.message}\nNothing was written.\n`);
    return 1;
  }
  const reason = whyNotWritten(target, text);
  if (reason !== null) {
    writeError(`${file} cannot be written: ${reason}. Name a file in another folder with --config.\n`);
    return 2;
  }
  write(
    `Wrote ${file}: a dry run of ${routePath} in front of ${upstream}.\n` +
      `Next: ${command} serve${file === DEFAULT_FILE ? '' : ` --config ${quoted(file)}`}, then sign up at http://${listen}${path} ` +
      'and look at the decision in the dashboard.\n',
  );
  return 0;
}

/** Leaves no part of the file, which the next start would read. */
function whyNotWritten(target: string, text: string): string | null {
  let isOurs = false;
  try {
    // This fails if another process has created the file meanwhile.
    const file = openSync(target, 'wx', 0o640);
    isOurs = true;
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    return null;
  } catch (error) {
    if (isOurs) rmSync(target, { force: true });
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : reasonOf(error);
  }
}

async function answerOr(ask: Ask, question: string, fallback: string): Promise<string> {
  if (ask === null) return fallback;
  return (await ask(`${question} [${fallback}]: `)).trim() || fallback;
}

/** Asks for the URL of the app, which should be running. Null when no usable URL was given. */
async function findApp(
  { upstream, command }: InitOptions,
  { write, writeError }: CommandContext,
  ask: Ask,
): Promise<string | null> {
  const given = upstream ?? null;
  if (given === null && ask === null) {
    writeError(
      `Without a terminal, name the app: ${command} init --upstream localhost:3000 --path /signup\n`,
    );
    return null;
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = given ?? (await answerOr(ask, 'The URL of the app', DEFAULTS.upstream));
    const origin = parseOrigin(String(completeOrigin(text)));
    if (origin === null) writeError(`"${text}" is not the URL of an app, such as localhost:3000\n`);
    else if ((await fetchPage(origin)) !== null) return origin;
    else {
      write(`${origin} does not answer yet. Start the app before Gatekeeper.\n`);
      if (given !== null || tries === MAX_TRIES - 1) return origin;
    }
    if (given !== null) return null;
  }
  return null;
}

async function findForm(
  upstream: string,
  path: string,
  { file, write }: { readonly file: string; readonly write: CommandContext['write'] },
): Promise<SignupForm | null> {
  const url = `${upstream}${path}`;
  const page = await fetchPage(url);
  const form = page === null ? null : readSignupForm(page.text, page.url);
  if (form)
    write(
      `Found a form on ${path}. Browsers send it to ${form.path}, with the email in "${form.emailField}".\n`,
    );
  else if (page !== null)
    write(
      `Found no form on ${path} (status ${page.status}). If a script sends the signup, write the path and the field ` +
        `of its request in ${file}.\n`,
    );
  return form;
}

interface Page {
  readonly text: string;
  readonly url: string;
  readonly status: number;
}

/** Reads the page. Null when the app does not answer. A page that is too large or not text counts as empty. */
async function fetchPage(url: string): Promise<Page | null> {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { text: await readStart(answer), url: answer.url, status: answer.status };
  } catch {
    return null;
  }
}

async function readStart(answer: Response): Promise<string> {
  if (!/html/i.test(answer.headers.get('content-type') ?? '') || answer.body === null) {
    await answer.body?.cancel();
    return '';
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_PAGE_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_PAGE_BYTES);
}
