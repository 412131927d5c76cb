import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { type ApiServer, openApiServer, SIGNUP } from '../api/api-server.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { sharedJson } from '../helpers/shared-data.ts';
import { exchange, parseAnswers, type RawAnswer } from '../http/raw-client.ts';
import { createMutator } from './mutate-request.ts';

const REQUESTS = IS_FULL_PROOF ? 50_000 : 3_000;
const SEED = 20_261_121;
const PARALLEL = 32;

/** An answer is 200 with a decision, 204, or a problem document that says the same as its status line. */
function checkAnswer(t: ExecutionContext, answer: RawAnswer, what: string): void {
  const { status, headers, body } = answer;
  if (status < 400) return;
  if (status >= 500) t.fail(`${status} to ${what}`);
  if (headers['content-type'] !== 'application/problem+json')
    t.fail(`no problem document: ${status} to ${what}`);
  if (body === '') return;
  const problem = JSON.parse(Buffer.from(body, 'latin1').toString());
  if (problem.status !== status || problem.type !== `urn:gatekeeper:problem:${problem.code}`) {
    t.fail(`${body} to ${what}`);
  }
  if (/\.ts\b|node_modules|<script/i.test(body)) t.fail(`too much said: ${body}`);
}

/** The time in which an answer comes, if there is one. */
const FINISH_AFTER_MS = 100;

/**
 * Sends the bytes, says that there are no more, and collects all answers. The server must end the connection. Half of the
 * senders wait for an answer before they say so: on a busy machine, the others are often gone before their answer.
 */
function sendAndFinish(port: number, payload: Buffer): Promise<readonly RawAnswer[] | 'hung'> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      resolve('hung');
    }, 30_000);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      socket.end();
    });
    const finish = setTimeout(() => socket.end(), FINISH_AFTER_MS);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(finish);
      resolve(
        parseAnswers(Buffer.concat(chunks).toString('latin1'), payload.subarray(0, 5).toString() === 'HEAD '),
      );
    });
    socket.write(payload);
    if (payload.length % 2 === 0) socket.end();
  });
}

async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

async function isAlive(t: ExecutionContext, server: ApiServer): Promise<void> {
  t.is((await server.post(SIGNUP, { key: await server.createKey({ plan: 'unlimited' }) })).status, 200);
}

test(`${REQUESTS} mutated requests give no 5xx, and every refusal is a problem document`, async (t) => {
  t.timeout(600_000);
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const mutate = createMutator({ seed: SEED, key });
  const statuses = new Map<number, number>();
  let hung = 0;
  function* requests() {
    for (let i = 0; i < REQUESTS; i++) yield mutate();
  }
  await inParallel(requests(), async (payload) => {
    const answers = await sendAndFinish(server.port, payload);
    if (answers === 'hung') {
      hung++;
      return;
    }
    for (const answer of answers) {
      checkAnswer(t, answer, JSON.stringify(payload.toString('latin1').slice(0, 400)));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  });
  t.log(`statuses: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`);
  t.is(hung, 0);
  for (const status of [200, 400, 401, 404, 405, 413, 415])
    t.true((statuses.get(status) ?? 0) > 0, String(status));
  await isAlive(t, server);
});

test('the HTTP/1.1 probes are refused or ended where the standard says so', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  interface Probe {
    readonly id: string;
    readonly level: string;
    readonly status: string | null;
    readonly payloads_b64: readonly string[];
  }
  let judged = 0;
  const { content } = sharedJson<{ readonly cases: readonly Probe[] }>('conformance/http11probe.json');
  await inParallel(content.cases, async (probe) => {
    const [first = ''] = probe.payloads_b64;
    const payload = aimed(Buffer.from(first, 'base64').toString('latin1'), key);
    const answers = await sendAndFinish(server.port, Buffer.from(payload, 'latin1'));
    if (answers === 'hung') {
      t.fail(`${probe.id} hung`);
      return;
    }
    for (const answer of answers) checkAnswer(t, answer, probe.id);
    // No answer but the end of the connection is a refusal too.
    if (probe.level === 'Must' && probe.status === '400' && answers.length > 0) {
      t.is(answers.at(-1)?.status, 400, probe.id);
      judged++;
    }
  });
  t.true(judged > 50);
});

/** The probes ask for `/`; these routes read what they are sent. */
function aimed(payload: string, key: string): string {
  const fields = `Host: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  return payload
    .replace(/^POST \/ /, 'POST /score-signup ')
    .replace(/^GET \/ /, 'GET /livez ')
    .replace('Host: localhost\r\n', payload.startsWith('POST') ? fields : 'Host: localhost\r\n');
}

test('the public JSON suite as bodies: 400 or 415, never worse', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const { content: files } = sharedJson<Record<string, string>>('conformance/json-test-suite.json');
  await inParallel(Object.entries(files), async ([name, base64]) => {
    const answer = await server.post(null, { key, body: Buffer.from(base64, 'base64') });
    t.is(answer.status, Buffer.from(base64, 'base64').length > 16_384 ? 413 : 400, name);
    const code = answer.json.code;
    if (name.startsWith('n_')) t.not(answer.json.errors?.length, 2, `${name} was read as JSON`);
    if (name.startsWith('y_object') && !name.includes('duplicated')) t.is(code, 'invalid_request', name);
  });
});

test('naughty strings in each field are taken or refused, never worse', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const { content: strings } = sharedJson<readonly string[]>('conformance/naughty-strings.json');
  await inParallel(strings, async (text) => {
    for (const body of [
      { ...SIGNUP, email: text },
      { ...SIGNUP, email: `${text}@example.com` },
      { ...SIGNUP, email: `ada@${text}` },
      { ...SIGNUP, ip_address: text },
      { ...SIGNUP, user_agent: text },
      { ...SIGNUP, [text]: text },
    ]) {
      const { status, json } = await server.post(body, { key });
      if (status !== 200 && status !== 400) t.fail(`${status} to ${JSON.stringify(body)}`);
      if (status === 400 && (json.errors ?? []).length === 0 && json.code !== 'malformed_json') {
        t.fail(`no field named: ${JSON.stringify(json)}`);
      }
    }
    const path = await server.call('GET', `/decisions/${encodeURIComponent(toWellFormed(text))}`, { key });
    if (path.status !== 404 && path.status !== 200 && path.status !== 431)
      t.fail(`${path.status} to ${text}`);
  });
  await isAlive(t, server);
});

function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}

test('a hundred of the largest hostile bodies at once hold nobody up', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const size = 16_000;
  const bodies = [
    '['.repeat(size),
    '{"a":'.repeat(size / 5),
    `"${'\\"'.repeat(size / 2)}"`,
    `{${Array.from({ length: size / 10 }, (_, i) => `"${i % 7}":1`).join(',')}}`,
    JSON.stringify({ ...SIGNUP, email: 'a'.repeat(size) }),
    JSON.stringify({ ...SIGNUP, email: `${'a.'.repeat(size / 2)}@example.com` }),
    JSON.stringify({ ...SIGNUP, email: `a@${'a.'.repeat(size / 2)}com` }),
    JSON.stringify({ ...SIGNUP, ip_address: ':'.repeat(size) }),
    JSON.stringify({ ...SIGNUP, user_agent: `${'Mozilla/5.0 ('.repeat(size / 13)}` }),
    JSON.stringify({ ...SIGNUP, email: `"${'\\\\'.repeat(size / 4)}"@example.com` }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => server.post(null, { key, body: bodies[i % bodies.length] ?? '' })),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [400]);
  await isAlive(t, server);
});

test('senders that leave at any byte of their request leave nothing behind', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const body = JSON.stringify(SIGNUP);
  const request = `POST /score-signup HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  await inParallel(
    Array.from({ length: request.length }, (_, i) => i),
    (length) => {
      return new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(request.slice(0, length + 1), () => socket.resetAndDestroy());
        });
        socket.on('error', () => {}).on('close', () => resolve());
      });
    },
  );
  await isAlive(t, server);
  t.false(
    server.log.some((line) => /"level":"(warn|error)"/.test(line)),
    server.log.find((l) => /warn|error/.test(l)),
  );
});

test('a request cut into single bytes is read like any other', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'unlimited' });
  const body = JSON.stringify(SIGNUP);
  const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
  const head = `POST /score-signup HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const { answers } = await exchange(
    server.port,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    {
      answers: 1,
    },
  );
  t.is(answers[0]?.status, 200);
});
