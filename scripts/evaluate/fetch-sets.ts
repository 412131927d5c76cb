import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicSet } from './set-catalogue.ts';
import { contentOf, hashOf } from './set-content.ts';

export interface FetchSetsOptions {
  /** Where the files are kept. */
  readonly folder: string;
  readonly timeoutMs?: number;
  /** Between two attempts. */
  readonly pauseMs?: number;
  readonly maxBytes?: number;
}

export interface FetchedSet {
  readonly file: string;
  /** Null: it is there. */
  readonly failure: string | null;
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 2_000;
const ATTEMPTS = 3;
const MAX_REDIRECTS = 5;
/** The largest set has 2 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Trying again does not help. */
class FinalFailure extends Error {}

/**
 * Downloads sets one after the other. A set is kept only when its content has the hash of the catalogue; a failed one
 * leaves no file, and the others go on.
 */
export async function fetchSets(
  sets: readonly PublicSet[],
  options: FetchSetsOptions,
): Promise<readonly FetchedSet[]> {
  mkdirSync(options.folder, { recursive: true });
  const fetched: FetchedSet[] = [];
  for (const set of sets) fetched.push({ file: set.file, failure: await fetchSet(set, options) });
  return fetched;
}

async function fetchSet(set: PublicSet, options: FetchSetsOptions): Promise<string | null> {
  const part = join(options.folder, `${set.file}.${process.pid}.part`);
  try {
    const files: string[] = [];
    for (const url of set.urls) files.push(await downloadPatiently(url, options));
    const content = contentOf(set, files);
    const found = hashOf(set, content);
    if (found !== set.sha256) return `its content has the SHA-256 ${found}, the catalogue says ${set.sha256}`;
    writeFileSync(part, content);
    renameSync(part, join(options.folder, set.file));
    return null;
  } catch (error) {
    rmSync(part, { force: true });
    return reasonOf(error);
  }
}

async function downloadPatiently(url: string, options: FetchSetsOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await download(url, options);
    } catch (error) {
      if (error instanceof FinalFailure) throw error;
      if (attempt === ATTEMPTS) throw new Error(`${url}: ${whyIncomplete(error)}, ${ATTEMPTS} times`);
      await new Promise((resolve) => setTimeout(resolve, attempt * (options.pauseMs ?? PAUSE_MS)));
    }
  }
}

async function download(
  url: string,
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: FetchSetsOptions,
): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  let response = await fetch(url, { redirect: 'manual', signal });
  let at = url;
  for (let count = 0; response.status >= 300 && response.status < 400; count++) {
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (location === null) throw new FinalFailure(`${at} redirects to no address`);
    if (count === MAX_REDIRECTS) throw new FinalFailure(`${url} redirects more than ${MAX_REDIRECTS} times`);
    if (!URL.canParse(location, at)) throw new FinalFailure(`${at} redirects to an invalid address`);
    const next = new URL(location, at);
    if (new URL(url).protocol === 'https:' && next.protocol !== 'https:') {
      throw new FinalFailure(`${at} redirects to an address without TLS`);
    }
    at = next.href;
    response = await fetch(at, { redirect: 'manual', signal });
  }
  if (!response.ok) {
    await response.body?.cancel();
    const message = `${at} answers ${response.status}`;
    throw response.status >= 500 || response.status === 429 ? new Error(message) : new FinalFailure(message);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new FinalFailure(`${at} has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new FinalFailure(`${at} is not text in UTF-8`);
  }
}

/** The messages of `fetch` do not tell a slow server from one that breaks off, or from no network. */
function whyIncomplete(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no complete answer in time';
  const code = codeOf(error.cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'the name of the server is not found; is there a network?';
  if (code === 'ECONNREFUSED') return 'the server refuses the connection';
  return error.message === 'terminated' ? 'the answer breaks off' : reasonOf(error);
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null;
}

/** `fetch failed` alone does not say that there is no network. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
