import { hash } from 'node:crypto';
import { Agent, request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { type GateServer, openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { GRAPHQL_APPS } from '../helpers/upstreams/graphql-apps.ts';
import { openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { GOOD, HOSTILE, OTHERS, SIGNUPS, STORED_OPERATIONS, TO_BE_STORED } from './graphql-operations.ts';
import {
  casesOf,
  type GraphqlCase,
  ORDINARY_TRANSPORTS,
  OTHER_TRANSPORTS,
  type Transport,
} from './graphql-requests.ts';
import { openJudgingGraphqlProxy } from './judging-graphql-proxy.ts';

interface Outcome {
  /** Null when nothing came back. */
  readonly status: number | null;
  readonly isFailure: boolean;
  /** What the resolvers say they stored and were told; null when no signup ran. */
  readonly stored: {
    readonly emails: readonly unknown[];
    readonly assertion: string | null;
    readonly judged: string | null;
  } | null;
}

/** Whatever the judge says, the app gets it: only what the gate refuses by itself stays away from the app. */
const FORWARD_ALL = {
  on_low: 'forward',
  on_medium: 'forward',
  on_high: 'forward',
  on_missing_email: 'forward',
} as const;

const ROUTES = [
  route('/graphql', {
    ...FORWARD_ALL,
    name: 'sign-up',
    methods: ['GET', 'POST'],
    when: { operationName: 'signUp' },
    email: ['variables.input.email'],
  }),
  route('/graphql', {
    ...FORWARD_ALL,
    name: 'register',
    methods: ['GET', 'POST'],
    when: { operationName: 'register' },
    email: ['variables.email'],
  }),
];

const CLIENTS = 6;
const { JSON: json, 'a form': form } = ORDINARY_TRANSPORTS as Record<'JSON' | 'a form', Transport>;
const WAYS = Object.entries({ ...ORDINARY_TRANSPORTS, ...OTHER_TRANSPORTS });
const CASES = [
  ...casesOf(
    SIGNUPS.filter(({ id }) => id === 'named' || id === 'flat'),
    OTHER_TRANSPORTS,
  ),
  ...casesOf(HOSTILE, { JSON: json, 'a form': form }),
  ...casesOf(STORED_OPERATIONS, { JSON: json }),
  // Each with every sixth of the other ways, all of them in turn.
  ...STORED_OPERATIONS.flatMap((one, i) =>
    casesOf([one], Object.fromEntries(WAYS.filter((_, j) => (i + j) % 6 === 0))),
  ),
];
const ORDINARY = casesOf(SIGNUPS, ORDINARY_TRANSPORTS);
const OTHER = casesOf(OTHERS, ORDINARY_TRANSPORTS);

function send(port: number, agent: Agent, { method, target, type, body }: GraphqlCase): Promise<Outcome> {
  const headers = {
    'Content-Length': Buffer.byteLength(body),
    ...(type !== null && { 'Content-Type': type }),
  };
  return new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', method, path: target, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const facts = response.headers['x-app'];
        resolve({
          status: response.statusCode ?? null,
          isFailure: text.includes('urn:gatekeeper:problem:internal_error'),
          stored: typeof facts === 'string' ? JSON.parse(decodeURIComponent(facts)) : null,
        });
      });
    });
    sent.on('error', () => resolve({ status: null, isFailure: true, stored: null }));
    sent.end(body);
  });
}

async function sendAll(port: number, cases: readonly GraphqlCase[]): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive: true });
  const outcomes: Outcome[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let i = next++; i < cases.length; i = next++) {
        const one = cases[i];
        if (one) outcomes[i] = await send(port, agent, one);
      }
    }),
  );
  agent.destroy();
  return outcomes;
}

/** Why signups that ran were not the one that was judged; null when they were. */
function gotPastGate({ stored }: Outcome): string | null {
  if (stored === null) return null;
  if (stored.assertion === null) return `stored ${JSON.stringify(stored.emails)} unjudged`;
  const [, claims = ''] = stored.assertion.split('.');
  const { email_sha256 } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    email_sha256: string | null;
  };
  const other = stored.emails.find(
    (email) => email !== null && hash('sha256', String(email)) !== email_sha256,
  );
  return other === undefined ? null : `stored ${JSON.stringify(other)}, judged another`;
}

function gotPastYardstick({ stored }: Outcome): boolean {
  const judged = stored?.judged && decodeURIComponent(stored.judged);
  return stored?.emails.some((email) => email !== null && email !== judged) ?? false;
}

async function prove(t: ExecutionContext, app: UpstreamApp): Promise<void> {
  const port = await openUpstreamApp(t, app);
  if (port === null) throw new Error(`${app.name} is not installed here.`);
  const gate = await openGateServer(t, { upstreamUrl: `http://127.0.0.1:${port}`, routes: ROUTES });
  // Behind the gate's back, as a client did before there was one.
  await sendAll(port, casesOf([{ id: 'stored', members: TO_BE_STORED }], { JSON: json }));
  const outcomes = await sendAll(gate.port, CASES);
  const past = outcomes.flatMap((outcome, i) => {
    const why = gotPastGate(outcome);
    return why === null ? [] : [`${CASES[i]?.id}: ${why}`];
  });
  const ran = outcomes.filter(({ stored }) => stored !== null).length;
  const yardstick = await sendAll(await openJudgingGraphqlProxy(t, port), CASES);
  t.log(
    `${app.name}: ${CASES.length} requests, ${ran} signups ran, ${past.length} got past the gate, ` +
      `${yardstick.filter(gotPastYardstick).length} past http-proxy with a Koa route`,
  );
  t.deepEqual(past.slice(0, 20), []);
  t.deepEqual(
    outcomes.flatMap(({ isFailure }, i) => (isFailure ? [CASES[i]?.id] : [])),
    [],
  );
  t.true(ran >= 5);
  await serveOrdinaryClients(t, gate, port);
}

async function serveOrdinaryClients(t: ExecutionContext, gate: GateServer, port: number): Promise<void> {
  const before = await sendAll(port, ORDINARY);
  const signups = await sendAll(gate.port, ORDINARY);
  for (const [i, { id }] of ORDINARY.entries()) {
    t.is(signups[i]?.status, before[i]?.status, id);
    t.deepEqual(signups[i]?.stored?.emails, before[i]?.stored?.emails, id);
    if (signups[i]?.stored) t.is(gotPastGate(signups[i]), null, id);
    for (const email of signups[i]?.stored?.emails ?? []) t.is(email, GOOD, id);
  }
  const judged = gate.judged.length;
  const expected = await sendAll(port, OTHER);
  const others = await sendAll(gate.port, OTHER);
  for (const [i, { id }] of OTHER.entries()) t.is(others[i]?.status, expected[i]?.status, id);
  t.is(gate.judged.length, judged);
}

for (const app of GRAPHQL_APPS) {
  // What is missing is named by the title of the skipped test; the full proof counts it as a failure.
  const testWhereInstalled = app.isInstalled() ? test.serial : test.serial.skip;
  testWhereInstalled(
    `whatever ${app.name} runs as a signup was judged, with the very email that it stored, and nobody else is refused`,
    prove,
    app,
  );
}
