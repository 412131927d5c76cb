import { hash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import { type GateServer, openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { openPlainProxy } from './plain-proxy.ts';

const GOOD = 'ada@company.example';
/** Scores 20: blocked. */
const EVIL = 'high@burner.example';
const CLIENTS = 6;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

interface BinderCase {
  readonly id: string;
  readonly email: string;
  readonly target: string;
  readonly type: string;
  readonly body: string;
}

/** What ASP.NET, Spring, Rails and PHP call the object that a form fills. */
const OBJECTS = ['model', 'user', 'Input', 'dto', 'User'];
/** How a field of it is spelled; the place of the route stands for `email`. */
const SPELLINGS: readonly ((object: string, place: string) => string)[] = [
  (object, place) => `${object}.${place}`,
  (object, place) => `${object}[${place.replaceAll('.', '][')}]`,
  (object, place) => `${object}.${place.toUpperCase()}`,
  (object, place) => `${object}[${place.replaceAll('.', '][')}][]`,
  (object, place) => `[${object}].${place}`,
];
const PLACES = ['email', 'user.email', 'Email', 'contact_email'];

function multipart(fields: readonly (readonly [string, string])[]): string {
  const parts = fields.map(
    ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--X--\r\n`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function casesFor(first: string, second: string): BinderCase[] {
  const cases: BinderCase[] = [];
  for (const email of PLACES) {
    for (const object of OBJECTS) {
      for (const [i, spell] of SPELLINGS.entries()) {
        const name = spell(object, email);
        const own = [email, first] as const;
        const other = [name, second] as const;
        for (const fields of [
          [own, other],
          [other, own],
        ]) {
          const id = `${email} and ${name}, ${fields[0] === own ? 'behind' : 'before'}`;
          const pairs = fields.map(([key, value]) => [key, value]);
          const form = new URLSearchParams(pairs).toString();
          cases.push(
            { id: `form ${id}`, email, target: '/signup', type: FORM, body: form },
            {
              id: `multipart ${id}`,
              email,
              target: '/signup',
              type: 'multipart/form-data; boundary=X',
              body: multipart(fields),
            },
          );
        }
        const query = new URLSearchParams([[name, second]]).toString();
        cases.push({
          id: `query ${i} ${email} ${name}`,
          email,
          target: `/signup?${query}`,
          type: FORM,
          body: new URLSearchParams([[email, first]]).toString(),
        });
      }
      const path = email.split('.');
      const wrapped = { [object]: nested(path, second) };
      const own = nested(path, first) as Record<string, unknown>;
      // A second spelling of the place itself is ambiguous.
      if (object.toLowerCase() === path[0]?.toLowerCase()) continue;
      for (const value of [
        { ...own, ...wrapped },
        { ...wrapped, ...own, name: 'Ada' },
        { ...own, [object]: { ...(wrapped[object] as object), name: 'Ada' } },
        { ...own, [`${object}.${email}`]: second },
      ]) {
        const body = JSON.stringify(value);
        cases.push({ id: `json ${body}`, email, target: '/signup', type: JSON_TYPE, body });
      }
    }
    const other = new URLSearchParams([[email.replace('.', '['), second]]).toString();
    const plain = email.includes('.') ? new URLSearchParams([[email, second]]).toString() : other;
    cases.push(
      {
        id: `query ${email}`,
        email,
        target: `/signup?a=1&${plain}`,
        type: FORM,
        body: new URLSearchParams([[email, first]]).toString(),
      },
      {
        id: `query and JSON ${email}`,
        email,
        target: `/signup?${plain}&b`,
        type: JSON_TYPE,
        body: JSON.stringify(nested(email.split('.'), first)),
      },
    );
  }
  return cases;
}

async function sendAll(port: number, cases: readonly BinderCase[]): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const waiting = cases.values();
  const sendNext = async () => {
    for (const { id, target, type, body } of waiting) {
      const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      await answer.arrayBuffer();
      statuses.set(id, answer.status);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, sendNext));
  return statuses;
}

/** One gate for each place of the email. */
async function sendToGates(
  open: (email: string) => Promise<GateServer>,
  cases: readonly BinderCase[],
): Promise<{ statuses: Map<string, number>; servers: GateServer[] }> {
  const statuses = new Map<string, number>();
  const servers: GateServer[] = [];
  for (const place of PLACES) {
    const server = await open(place);
    servers.push(server);
    const of = cases.filter(({ email }) => email === place);
    for (const [id, status] of await sendAll(server.port, of)) statuses.set(id, status);
  }
  return { statuses, servers };
}

for (const [what, first, second] of [
  ['a bad email beside the one that is configured', GOOD, EVIL],
  ['a bad email at the configured place beside a good one', EVIL, GOOD],
] as const) {
  test(`${what} is never forwarded, wherever a binder looks for it`, async (t) => {
    const cases = casesFor(first, second);
    const { statuses, servers } = await sendToGates(
      (email) => openGateServer(t, { routes: [route('/signup', { email: [email] })] }),
      cases,
    );
    const past = [...statuses].filter(([, status]) => status !== 403);
    const plain = await openPlainProxy(t, Number(new URL((await openApp(t)).url).port));
    const yardstick = [...(await sendAll(plain.port, cases))].filter(([, status]) => status === 201);
    t.log(
      `${cases.length} cases, ${past.length} not refused by the gate, ${yardstick.length} past http-proxy`,
    );
    t.deepEqual(past, []);
    for (const { upstream } of servers) t.is(upstream.connections, 0);
    t.true(cases.length > 500);
  });
}

/** An app behind no gate: the server of one that is not asked. */
async function openApp(t: Parameters<typeof openGateServer>[0]) {
  return openGateServer(t, { routes: [] });
}

test('two good emails are forwarded as one signup, with the configured one in the assertion', async (t) => {
  const cases = casesFor(GOOD, 'bob@company.example');
  const { statuses, servers } = await sendToGates(
    (email) => openGateServer(t, { routes: [route('/signup', { email: [email] })] }),
    cases,
  );
  t.deepEqual(
    [...statuses].filter(([, status]) => status !== 201),
    [],
  );
  for (const { upstream, recorded } of servers) {
    t.is(recorded.length, upstream.requests.length);
    for (const { headers } of upstream.requests) {
      const { email_sha256 } = decodeJwt(String(headers['x-gatekeeper-assertion']));
      t.is(email_sha256, hash('sha256', GOOD));
    }
  }
});

test('a signup with several emails is one mailbox of its sender, and what is recorded says why', async (t) => {
  const server = await openGateServer(t);
  const body = JSON.stringify({ email: GOOD, user: { email: EVIL } });
  const answer = await fetch(`${server.url}/signup`, {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE },
    body,
  });
  t.is(answer.status, 403);
  const own = server.judged.filter(({ scope }) => scope === 'gate');
  t.deepEqual(
    own.map(({ email }) => email.mailbox?.address),
    [GOOD],
  );
  t.is(server.judged.length, 2);
  t.is(server.recorded.length, 1);
  t.is(server.recorded[0]?.identity.mailbox, own[0]?.identity.mailbox);
  t.regex(JSON.stringify(server.recorded[0]?.examinations), /second email/);
});

test('without an email at the configured place another one lets nothing through', async (t) => {
  const forward = await openGateServer(t, { routes: [route('/signup', { on_missing_email: 'forward' })] });
  const send = (server: GateServer, email: string) =>
    fetch(`${server.url}/signup`, {
      method: 'POST',
      body: new URLSearchParams({ 'user[email]': email }),
    }).then(({ status }) => status);
  t.is(await send(forward, EVIL), 403);
  t.is(await send(forward, GOOD), 201);
  t.is(await send(await openGateServer(t), GOOD), 403);
});
