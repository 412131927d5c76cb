import { hash } from 'node:crypto';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { ORDINARY_EMAIL } from '../helpers/ordinary-signup.ts';
import { ORDINARY_SIGNUPS } from '../helpers/ordinary-signups.ts';
import { route } from '../helpers/routes.ts';
import { openUpstreamApp, UPSTREAM_APPS, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import type { DifferentialCase } from './differential-case.ts';
import { craftedCases } from './differential-cases.ts';
import { generatedCases } from './generated-cases.ts';
import { openJudgingProxy } from './judging-proxy.ts';
import { oddFormCases } from './odd-form-cases.ts';

/** What the app's handler says it read and was told. */
interface Handled {
  readonly email: string | null;
  readonly assertion: string | null;
  readonly judged: string | null;
}

interface Outcome {
  /** Nothing came back, or the gate itself failed. */
  readonly isFailure: boolean;
  /** Null when no signup handler ran. */
  readonly handled: Handled | null;
}

/** Whatever the judge says, the app gets it: only what the gate refuses by itself stays away from the app. */
const FORWARD_ALL = {
  on_low: 'forward',
  on_medium: 'forward',
  on_high: 'forward',
  on_missing_email: 'forward',
} as const;

const ROUTES = [
  route('/signup', FORWARD_ALL),
  route('/join', FORWARD_ALL),
  route('/account', { methods: ['PUT'], ...FORWARD_ALL }),
];
/** PHP's scripts are reached by their own names, too. */
const SCRIPT_ROUTES = ROUTES.map((known) =>
  route(`${known.path}.php`, { ...known, path: `${known.path}.php` }),
);

const GENERATED = IS_FULL_PROOF ? 1_000 : 30;
const SEED = 20_261_121;
const CLIENTS = 6;

function send(port: number, { method, target, headers, body }: DifferentialCase): Promise<Outcome> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: app.example',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let answer = '';
    const giveUp = setTimeout(() => socket.destroy(), 10_000);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve(readOutcome(answer));
    });
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
  });
}

function readOutcome(answer: string): Outcome {
  const [head = ''] = answer.split('\r\n\r\n', 1);
  const [, handled] = /^x-app: (.*)$/im.exec(head) ?? [];
  return {
    isFailure: head === '' || answer.includes('urn:gatekeeper:problem:internal_error'),
    handled: handled === undefined ? null : (JSON.parse(decodeURIComponent(handled)) as Handled),
  };
}

async function sendAll(port: number, cases: readonly DifferentialCase[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let i = next++; i < cases.length; i = next++) {
        const one = cases[i];
        if (one) outcomes[i] = await send(port, one);
      }
    }),
  );
  return outcomes;
}

/** The email that matters: white space around it is nobody's, an empty one is none. */
function essence(email: string | null): string | null {
  return email?.trim() || null;
}

/** Why a signup that the app handled was not the one that was judged; null when it was. */
function gotPastGate({ handled }: Outcome): string | null {
  if (handled === null) return null;
  const email = essence(handled.email);
  if (handled.assertion === null) return `handled ${email} unjudged`;
  const [, claims = ''] = handled.assertion.split('.');
  const { email_sha256 } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    email_sha256: string | null;
  };
  if (email === null || email_sha256 === hash('sha256', email)) return null;
  return `handled ${email}, judged ${email_sha256 === null ? 'none' : 'another'}`;
}

function gotPastYardstick({ handled }: Outcome): boolean {
  if (handled === null || essence(handled.email) === null) return false;
  const judged = handled.judged === null ? null : decodeURIComponent(handled.judged);
  return essence(judged) !== essence(handled.email);
}

async function prove(t: ExecutionContext, app: UpstreamApp): Promise<void> {
  const port = await openUpstreamApp(t, app);
  if (port === null) throw new Error(`${app.name} is not installed here.`);
  const routes = app.name === 'PHP' ? [...ROUTES, ...SCRIPT_ROUTES] : ROUTES;
  const gate = await openGateServer(t, { upstreamUrl: `http://127.0.0.1:${port}`, routes });
  const cases = [...craftedCases(), ...oddFormCases(), ...generatedCases(GENERATED, SEED)];
  const outcomes = await sendAll(gate.port, cases);
  const past = outcomes.flatMap((outcome, i) => {
    const why = gotPastGate(outcome);
    return why === null
      ? []
      : [`${cases[i]?.id}: ${why}: ${JSON.stringify(cases[i]?.body.toString('latin1'))}`];
  });
  const failed = outcomes.flatMap(({ isFailure }, i) => (isFailure ? [cases[i]?.id] : []));
  const handled = outcomes.filter((outcome) => outcome.handled !== null).length;
  const yardstick = await sendAll(await openJudgingProxy(t, port), cases);
  t.log(
    `${app.name}: ${cases.length} requests, ${handled} handled, ${handled - past.length} of them judged, ${past.length} got past the gate, ` +
      `${yardstick.filter(gotPastYardstick).length} past http-proxy with Koa routes`,
  );
  t.deepEqual(past, []);
  t.deepEqual(failed, []);
  t.true(handled > 50);
}

/** They have no reader of multipart forms among them. */
const WITHOUT_MULTIPART = new Set(['Koa', 'node:http']);

async function serveOrdinaryPeople(t: ExecutionContext, app: UpstreamApp): Promise<void> {
  const port = await openUpstreamApp(t, app);
  if (port === null) throw new Error(`${app.name} is not installed here.`);
  const gate = await openGateServer(t, { upstreamUrl: `http://127.0.0.1:${port}`, routes: ROUTES });
  // Express, Fastify and Flask each read another choice of the types that end in +json.
  const signups = ORDINARY_SIGNUPS.filter(({ type }) => !type.includes('+json'));
  const outcomes = await sendAll(
    gate.port,
    signups.map(({ client, type, body }) => ({
      id: client,
      method: 'POST',
      target: '/signup?utm_source=x',
      headers: [['Content-Type', type] as const],
      body: Buffer.from(body),
    })),
  );
  t.is(gate.judged.length, signups.length);
  for (const [i, { client, type }] of signups.entries()) {
    const handled = outcomes[i]?.handled;
    t.truthy(handled?.assertion, client);
    const isRead = !WITHOUT_MULTIPART.has(app.name) || !type.startsWith('multipart');
    if (isRead) t.is(handled?.email, ORDINARY_EMAIL, client);
  }
}

for (const app of UPSTREAM_APPS) {
  // What is missing is named by the title of the skipped test; the full proof counts it as a failure.
  const testWhereInstalled = app.isInstalled() ? test : test.skip;
  testWhereInstalled(
    `whatever ${app.name} handles as a signup was judged, with the very email that it read`,
    prove,
    app,
  );
  testWhereInstalled(
    `${app.name} gets the signups of ordinary clients, each as it was sent`,
    serveOrdinaryPeople,
    app,
  );
}
