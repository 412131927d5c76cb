import test, { type ExecutionContext } from 'ava';
import { createMissingEmails } from '../../src/gate/missing-emails.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { route } from '../helpers/routes.ts';
import { type GateServer, type GateServerOptions, NOON, openGateServer } from './gate-server.ts';

const FORM = { login: 'ada@company.example', 'user[mail]': 'ada@company.example', password: 'hunter2' };

function post(server: GateServer, fields: Readonly<Record<string, string>> = FORM, path = '/signup') {
  return fetch(server.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
}

async function open(t: ExecutionContext, options: GateServerOptions = {}): Promise<GateServer> {
  return openGateServer(t, { routes: [route('/signup'), route('/join', { mode: 'monitor' })], ...options });
}

async function miss(server: GateServer, times: number, fields = FORM): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await post(server, fields)).status);
  return statuses;
}

test('a route whose first ten signups miss the email forwards the next ones, marked as degraded', async (t) => {
  const server = await open(t);
  t.deepEqual(await miss(server, 12), [...Array(10).fill(403), 201, 201]);
  t.like(server.upstream.requests[0]?.headers, {
    'x-gatekeeper-action': 'forward',
    'x-gatekeeper-degraded': 'true',
  });
  t.like(server.recorded.at(-1), { action: 'forward', wantedAction: 'block', degraded: true });
});

test('the first signup with an email ends the forwarding, and ten more without one do not bring it back', async (t) => {
  const server = await open(t);
  await miss(server, 11);
  t.is((await server.signUp('ada@company.example')).status, 201);
  t.deepEqual(await miss(server, 12), Array(12).fill(403));
});

test('a route that had an email once, or an empty field, blocks all that miss it', async (t) => {
  const server = await open(t);
  t.is((await post(server, { email: ' ' })).status, 403);
  t.deepEqual(await miss(server, 12), Array(12).fill(403));
});

test('another route learns for itself, and a dry run is reported in the same way', async (t) => {
  const server = await open(t);
  await miss(server, 11);
  for (let i = 0; i < 11; i++) t.is((await post(server, FORM, '/join')).status, 201);
  t.deepEqual(
    server.gate.missingEmails().map(({ route: name, count, isForwarding }) => [name, count, isForwarding]),
    [
      ['/signup', 11, true],
      ['/join', 11, true],
    ],
  );
});

test('what the other factors refuse stays refused, and on_error decides whether to forward at all', async (t) => {
  const hostile = await open(t, {
    examine: (factor) =>
      factor === 'email'
        ? examination('corporate_email', 'invalid_email')
        : factor === 'ip_address'
          ? examination('residential_ip', 'tor_ip', 'proxy_ip', 'blocklisted_ip')
          : factor === 'user_agent'
            ? examination('missing_user_agent', 'automation_tool', 'headless_browser')
            : (examinations()[factor] ?? examination('normal_velocity')),
  });
  t.deepEqual(await miss(hostile, 12), Array(12).fill(403));
  const strict = await open(t, { routes: [route('/signup', { on_error: 'block' })] });
  t.deepEqual(await miss(strict, 12), Array(12).fill(403));
});

test('log, decision, metrics and overview name the fields and the line to write, and never a value', async (t) => {
  const server = await open(t);
  await miss(server, 2);
  const line = server.log.find((text) => text.includes('no email at the place of its route')) ?? '{}';
  t.like(JSON.parse(line), {
    route: '/signup',
    place: ['email'],
    fields: ['login', 'user[mail]', 'password'],
    proposal: 'email: login',
  });
  t.like(server.gate.missingEmails()[0], {
    route: '/signup',
    fields: ['login', 'user[mail]', 'password'],
    proposal: 'email: login',
    count: 2,
    lastAt: NOON,
  });
  t.deepEqual(server.judged[0]?.email, {
    mailbox: null,
    problem: 'missing',
    bodyFields: ['login', 'user[mail]', 'password'],
  });
  const [counted] = server.metrics.counters
    .filter(({ name }) => name.endsWith('gate_missing_emails_total'))
    .flatMap((counter) => [...counter.series()]);
  t.deepEqual(counted, [['/signup', 'login,user[mail],password'], 2]);
  const all = `${server.log.join('')}${JSON.stringify(server.gate.missingEmails())}`;
  t.false(/hunter2|ada@company/.test(all), all);
});

test('a flood of other fields is bounded in groups, names and log lines', (t) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const emails = createMissingEmails({ metrics: createMetrics().gate, clock: () => NOON, log });
  const one = route('/signup');
  for (let i = 0; i < 1_000; i++) emails.missed(one, { fields: [`field${i}`], emailField: null });
  t.is(emails.list().length, 20);
  t.is(lines.length, 2);
});

test('the log says so when forwarding begins, even within a minute of an earlier line', (t) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const emails = createMissingEmails({ metrics: createMetrics().gate, clock: () => NOON, log });
  for (let i = 0; i < 1_000; i++) emails.missed(route('/signup'), { fields: ['mail'], emailField: 'mail' });
  t.is(lines.length, 2);
  t.regex(lines[1] ?? '', /NO SIGNUP OF THIS ROUTE HAD AN EMAIL/);
});

test('a reload with the same place keeps what was learned, and another place begins anew', (t) => {
  const log = createLogger({ level: 'silent', format: 'json' });
  const emails = createMissingEmails({ metrics: createMetrics().gate, clock: () => NOON, log });
  const outline = { fields: ['mail'], emailField: 'mail' };
  emails.found(route('/signup'));
  for (let i = 0; i < 20; i++) t.false(emails.missed(route('/signup'), outline));
  const wrong = route('/signup', { email: ['wrong'] });
  for (let i = 0; i < 10; i++) t.false(emails.missed(wrong, outline));
  t.true(emails.missed(route('/signup', { email: ['wrong'] }), outline));
  emails.found(route('/signup', { email: ['wrong'] }));
  t.false(emails.missed(wrong, outline));
});
