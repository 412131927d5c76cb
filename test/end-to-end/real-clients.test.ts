import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { FormData as UndiciFormData, fetch as undiciFetch } from 'undici';
import { openGateServer } from '../gate/gate-server.ts';
import { ORDINARY_EMAIL } from '../helpers/ordinary-signup.ts';
import { ORDINARY_SIGNUPS } from '../helpers/ordinary-signups.ts';
import { route } from '../helpers/routes.ts';
import { sharedJson } from '../helpers/shared-data.ts';
import { openPlainProxy } from './plain-proxy.ts';

const run = promisify(execFile);
const SCRIPTS = new URL('../helpers/real-clients/', import.meta.url).pathname;
/** What several clients send beside the email: a query that was prefilled with another one. */
const OTHER_EMAIL = 'old.address@corp.example';

/** Sends signups of its kind to an address; says the name of each and the status of the answer. */
type Stranger = (url: string) => Promise<readonly (readonly [name: string, status: number])[]>;

/** Go compiles its libraries once for all suites, which build without C. */
const ENV = { ...process.env, CGO_ENABLED: '0' };

function script(program: string, ...before: readonly string[]): Stranger {
  return async (url) => {
    const { stdout } = await run(program, [...before, url, ORDINARY_EMAIL], { timeout: 100_000, env: ENV });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name = '', status]) => [name, Number(status)] as const);
  };
}

const FIELDS = { email: ORDINARY_EMAIL, name: 'Jane Döe', password: 'p&q=1;2+' };

const curl: Stranger = async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-curl-'));
  const picture = join(folder, 'name=ann; & "me".png');
  const large = join(folder, 'large.png');
  writeFileSync(picture, randomBytes(5_000));
  writeFileSync(large, randomBytes(2_500_000));
  const email = `email=${ORDINARY_EMAIL}`;
  const signups: Readonly<Record<string, readonly string[]>> = {
    '--data-urlencode': ['--data-urlencode', email, '--data-urlencode', 'name=Jane Döe'],
    '-d': ['-d', email.replace('+', '%2B'), '-d', 'name=x', '-d', 'terms'],
    '--json': ['--json', JSON.stringify(FIELDS)],
    '-F': ['-F', email, '-F', 'name=Jane Döe'],
    '-F with a file': ['-F', email, '-F', `avatar=@"${picture.replaceAll('"', '\\"')}"`],
    '-F with a large file': ['-F', `avatar=@${large}`, '-F', email],
    '-F with a type': ['-F', `${email};type=text/plain`, '-F', 'meta={"a":1};type=application/json'],
    '-F in chunks': ['-F', email, '-H', 'Transfer-Encoding: chunked'],
    'Expect: 100-continue': ['-F', email, '-F', `avatar=@${large}`, '-H', 'Expect: 100-continue'],
    'HTTP/1.0': ['--http1.0', '--data-urlencode', email],
    'a quoted charset': [
      '--data-urlencode',
      email,
      '-H',
      'Content-Type: application/x-www-form-urlencoded; charset="utf-8"',
    ],
  };
  try {
    const answers: (readonly [string, number])[] = [];
    for (const [name, given] of Object.entries(signups)) {
      const { stdout } = await run('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', ...given, url]);
      answers.push([name, Number(stdout)]);
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const node: Stranger = async (url) => {
  const form = new FormData();
  const forUndici = new UndiciFormData();
  for (const [name, value] of Object.entries(FIELDS)) {
    form.append(name, value);
    forUndici.append(name, value);
  }
  form.append('avatar', new Blob([randomBytes(2_000_000)]), 'name=ann.png');
  const post = (body: RequestInit['body'], headers = {}, query = '') =>
    fetch(url + query, { method: 'POST', body: body ?? null, headers }).then(({ status }) => status);
  const json = { 'content-type': 'application/json' };
  const landing = `https://app.example/?utm=1&email=${encodeURIComponent(ORDINARY_EMAIL)}&x`;
  const stream = () => new Blob([JSON.stringify(FIELDS)]).stream();
  return [
    ['fetch with FormData and a large file', await post(form)],
    ['fetch with URLSearchParams', await post(new URLSearchParams(FIELDS))],
    ['fetch with JSON', await post(JSON.stringify(FIELDS), json)],
    [
      'fetch with compressed JSON',
      await post(gzipSync(JSON.stringify(FIELDS)), { ...json, 'content-encoding': 'gzip' }),
    ],
    [
      'fetch with a stream',
      await fetch(url, { method: 'POST', body: stream(), headers: json, duplex: 'half' } as RequestInit).then(
        ({ status }) => status,
      ),
    ],
    ['undici with FormData', (await undiciFetch(url, { method: 'POST', body: forUndici })).status],
    ['a prefilled query, form', await post(new URLSearchParams(FIELDS), {}, `?email=${OTHER_EMAIL}`)],
    ['a prefilled query, JSON', await post(JSON.stringify(FIELDS), json, `?a&email=${OTHER_EMAIL}`)],
    ['a query without an address', await post(new URLSearchParams(FIELDS), {}, '?email=1')],
    ['a landing page in JSON', await post(JSON.stringify({ ...FIELDS, from: landing }), json)],
    [
      'a landing page in capitals',
      await post(JSON.stringify({ ...FIELDS, from: landing.toUpperCase() }), json),
    ],
    [
      'a landing page with a raw plus',
      await post(JSON.stringify({ from: `/?a=1&email=${ORDINARY_EMAIL}`, ...FIELDS }), json),
    ],
    ['a friend', await post(new URLSearchParams({ ...FIELDS, 'friend.email': OTHER_EMAIL }))],
    [
      'friends in a list',
      await post(
        JSON.stringify({
          ...FIELDS,
          friends: Array.from({ length: 20 }, (_, i) => ({ email: `f${i}@corp.example` })),
        }),
        json,
      ),
    ],
    ['http.request', await byHand(url, JSON.stringify(FIELDS))],
  ];
};

function byHand(url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
    };
    const sent = httpRequest(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Clients that are not installed anywhere, by the bytes that they send. */
const recorded: Stranger = async (url) => {
  const answers: (readonly [string, number])[] = [];
  for (const { client, type, body } of ORDINARY_SIGNUPS) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from(body),
    });
    answers.push([client, answer.status]);
  }
  return answers;
};

const STRANGERS: readonly (readonly [name: string, program: string, send: Stranger])[] = [
  ['curl', 'curl', curl],
  ['Node', 'node', node],
  ['clients as recorded', 'node', recorded],
  ['Python', 'python3', script('python3', `${SCRIPTS}signups.py`)],
  ['Ruby', 'ruby', script('ruby', `${SCRIPTS}signups.rb`)],
  ['PHP', 'php', script('php', `${SCRIPTS}signups.php`)],
  ['Perl', 'perl', script('perl', `${SCRIPTS}signups.pl`)],
  ['Go', 'go', script('go', 'run', `${SCRIPTS}signups.go`)],
  ['Java', 'java', script('java', `${SCRIPTS}Signups.java`)],
];

async function prove(t: ExecutionContext, send: Stranger): Promise<void> {
  const gate = await openGateServer(t);
  const app = await openGateServer(t, { routes: [] });
  const plain = await openPlainProxy(t, app.port, { timeoutMs: 60_000 });
  const answers = await send(`${gate.url}/signup`);
  const refused = answers.filter(([, status]) => status !== 201);
  const judged = gate.judged.filter(({ scope }) => scope === 'gate');
  const wrong = judged.filter(({ email }) => email.mailbox?.address !== ORDINARY_EMAIL);
  const yardstick = await send(`http://127.0.0.1:${plain.port}/signup`);
  const past = yardstick.filter(([, status]) => status === 201).length;
  t.log(
    `${answers.length} signups, ${refused.length} refused, ${judged.length} judged, ${past} past http-proxy`,
  );
  t.deepEqual(refused, []);
  t.is(judged.length, answers.length);
  t.deepEqual(wrong, []);
  t.is(gate.upstream.requests.length, answers.length);
}

for (const [name, program, send] of STRANGERS) {
  const isInstalled = spawnSync(program, [program === 'go' ? 'version' : '--version']).error === undefined;
  const testWhereInstalled = isInstalled ? test : test.skip;
  testWhereInstalled(
    `signups as ${name} sends them are judged with the right email, and none is refused`,
    prove,
    send,
  );
}

const FORWARD = { on_low: 'forward', on_medium: 'forward', on_high: 'forward' } as const;
/** Names twice, and half of a surrogate pair: what parsers do not agree about. */
const AMBIGUOUS = /duplicated_key|surrogate|escaped_null|nonascii_noncharacter|extreme_numbers/;

test('whatever people write in the other fields, their signup is judged with the right email', async (t) => {
  const { content: strings } = sharedJson<readonly string[]>('conformance/naughty-strings.json');
  const { content: documents } = sharedJson<Record<string, string>>('conformance/json-test-suite.json');
  const gate = await openGateServer(t, { routes: [route('/signup', FORWARD)] });
  const bodies: (readonly [id: string, body: string | URLSearchParams | FormData, type?: string])[] = [];
  for (const text of strings.filter((value) => !/\p{Surrogate}/u.test(value))) {
    const fields = { email: ORDINARY_EMAIL, name: text };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    // A backslash at its end escapes the quote behind it for some, and for others not.
    form.append('avatar', new Blob(['x']), text === '' || text.endsWith('\\') ? 'x' : text);
    bodies.push(
      [`JSON ${text}`, JSON.stringify(fields), 'application/json'],
      [`form ${text}`, new URLSearchParams(fields)],
      [`multipart ${text}`, form],
    );
  }
  for (const [name, base64] of Object.entries(documents)) {
    if (!name.startsWith('y_') || AMBIGUOUS.test(name)) continue;
    const value = Buffer.from(base64, 'base64').toString();
    bodies.push([name, `{"email":"${ORDINARY_EMAIL}","value":${value}}`, 'application/json']);
  }
  const refused: string[] = [];
  const waiting = bodies.values();
  const sendNext = async () => {
    for (const [id, body, type] of waiting) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await fetch(`${gate.url}/signup`, { method: 'POST', body, headers });
      const text = await answer.text();
      if (answer.status !== 201) refused.push(`${id}: ${answer.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, sendNext));
  t.log(`${bodies.length} signups, ${refused.length} refused`);
  t.deepEqual(refused, []);
  const judged = gate.judged.filter(({ scope }) => scope === 'gate');
  t.is(judged.length, bodies.length);
  t.true(judged.every(({ email }) => email.mailbox?.address === ORDINARY_EMAIL));
});
