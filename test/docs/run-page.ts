import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { gatekeeper, type RunningGatekeeper, spawnServe } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { at, type Block, type Page } from './read-page.ts';

const run = promisify(execFile);

/** Addresses of the pages, and the free ones of this run in their place. */
const FREE = { listen: '127.0.0.1:8000', api: '127.0.0.1:8080', upstream: 'http://127.0.0.1:3000' };
const REST = `
api: {listen: "127.0.0.1:0"}
dashboard: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
`;

/** For a page that shows no gate. */
const GATE = `proxy:
  listen: ${FREE.listen}
  upstream: ${FREE.upstream}
  routes: [{path: /signup, mode: monitor}]
`;

/** What a page shows as the answer of a `curl` block. */
const isAnswer = (block: Block | undefined): block is Block =>
  block?.mark === '' && (block.language === 'http' || block.language === 'json');

/**
 * Does what a page says, from top to bottom, against a real process in front of a real app: the YAML blocks with `proxy:` are
 * the configuration, the first one from the start; every `curl` is run by `sh`; the `http` or `json` block directly after a
 * `curl` is its answer, in which `…` stands for any text, unless a mark says what else it is (`json log`). Returns what differs, and how many commands ran.
 */
export async function runPage(
  t: ExecutionContext,
  page: Page,
): Promise<{ readonly wrong: readonly string[]; readonly commands: number }> {
  const folder = temporaryFolder(t);
  const app = await openApp(t);
  const write = (text: string) => {
    const here = text.replace(FREE.listen, '127.0.0.1:0').replace(FREE.upstream, app.url);
    writeFileSync(join(folder, 'gatekeeper.yaml'), `${here}${REST}`);
  };
  const first = page.blocks.find(isGate);
  write(first?.text ?? GATE);
  // An answer of 400 or above is a failure of curl, unless the page shows it.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\n');
  const { stdout: key } = await gatekeeper(folder, 'keys', 'create', '--name', 'first', '--scope', 'gate');
  const running = await spawnServe(t, folder, ['serve']);
  await running.said('The dashboard is at ');
  const places = { ...addressesOf(running), key: key.trim() };
  const env = { ...process.env, CURL_HOME: folder, GATEKEEPER_KEY: places.key };
  const wrong: string[] = [];
  let commands = 0;
  let reloads = 0;
  for (const [i, block] of page.blocks.entries()) {
    if (isGate(block) && block !== first) {
      write(block.text);
      reloads += 1;
      await running.said('the changed configuration is active', reloads);
    }
    if (block.language !== 'sh' || !block.text.includes('curl ')) continue;
    const script = completed(block.text, places);
    // What the app got with a signup.
    const REQUEST_ID = script.includes('REQUEST_ID') ? await signUp(places.gate, app) : '';
    const options = { cwd: folder, timeout: 60_000, env: { ...env, REQUEST_ID } };
    const { code, stdout } = await run('/bin/sh', ['-c', script], options).then(
      (done) => ({ code: 0, ...done }),
      (failed: { readonly code: number; readonly stdout: string }) => failed,
    );
    commands += 1;
    const answer = page.blocks[i + 1];
    if (isAnswer(answer)) wrong.push(...differences(answer, stdout).map((one) => at(page, answer, one)));
    else if (code !== 0) wrong.push(at(page, block, `curl failed: ${stdout}`));
  }
  return { wrong, commands };
}

const isGate = ({ language, mark, text }: Block): boolean =>
  language === 'yaml' && mark === '' && /^ {2}routes:/m.test(text);

interface App {
  readonly url: string;
  /** The request id that the last signup brought. */
  lastRequestId(): string;
}

/** An app that accepts everything. */
async function openApp(t: ExecutionContext): Promise<App> {
  let requestId = '';
  const app = createServer((request, response) => {
    requestId = String(request.headers['x-gatekeeper-request-id']);
    request.resume().on('end', () => response.end('welcome'));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.close());
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    lastRequestId: () => requestId,
  };
}

async function signUp(gate: string, app: App): Promise<string> {
  const body = new URLSearchParams({ email: 'jane.doe@gmail.com' });
  await (await fetch(`http://${gate}/signup`, { method: 'POST', body })).text();
  return app.lastRequestId();
}

interface Places {
  readonly api: string;
  readonly gate: string;
  readonly key: string;
}

function addressesOf(running: RunningGatekeeper): Omit<Places, 'key'> {
  const [, gate = ''] = /The gate listens on http:\/\/(\S+)/.exec(running.output()) ?? [];
  return { api: running.url.replace('http://', ''), gate };
}

function completed(script: string, { api, gate, key }: Places): string {
  return script.replaceAll(FREE.api, api).replaceAll(FREE.listen, gate).replaceAll('gk_live_…', key);
}

const differences = (shown: Block, got: string): string[] =>
  shown.language === 'json' ? compareJson(shown.text, got) : compareHttp(shown.text, got);

/** Status line and headers as shown, in any order; then the body, if the page shows one. */
function compareHttp(shown: string, got: string): string[] {
  const [head = '', body = ''] = shown.split('\n\n');
  const [gotHead = '', gotBody = ''] = got.split('\r\n\r\n');
  const lines = gotHead.split('\r\n');
  const missing = head.split('\n').filter((line) => !lines.some((other) => matches(line, other)));
  return [
    ...missing.map((line) => `the answer has no "${line}": ${lines[0]}`),
    ...(body === '' ? [] : compareJson(body, gotBody)),
  ];
}

function compareJson(shown: string, got: string): string[] {
  try {
    return compareValues(JSON.parse(shown), JSON.parse(got), '');
  } catch (error) {
    return [`${String(error)}: ${got}`];
  }
}

function compareValues(shown: unknown, got: unknown, path: string): string[] {
  if (typeof shown !== 'object' || shown === null) {
    const same = typeof shown === 'string' && typeof got === 'string' ? matches(shown, got) : shown === got;
    return same ? [] : [`${path} is ${JSON.stringify(got)}, not ${JSON.stringify(shown)}`];
  }
  const [left, right] = [shown, Object(got)] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].flatMap((key) => compareValues(left?.[key], right?.[key], `${path}/${key}`));
}

/** Times and ids change: `…` is any text, and a time is any time. */
function matches(shown: string, got: string): boolean {
  if (!Number.isNaN(Date.parse(shown)) && /^\d{4}-/.test(shown)) return !Number.isNaN(Date.parse(got));
  const pattern = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(got);
}
