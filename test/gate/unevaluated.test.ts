import test from 'ava';
import { decodeJwt } from 'jose';
import { route } from '../helpers/routes.ts';
import { type GateServerOptions, openGateServer } from './gate-server.ts';

const NOT_EVALUATED = (): never => {
  throw new Error('nothing works today');
};

const unevaluated: readonly [what: string, options: GateServerOptions][] = [
  ['no factor could be evaluated', { examine: NOT_EVALUATED }],
  [
    'the judge failed',
    { wrapJudge: (judge) => ({ ...judge, judge: () => Promise.reject(new Error('a bug')) }) },
  ],
];
for (const [what, options] of unevaluated) {
  for (const on_error of ['forward', 'verify', 'block'] as const) {
    test(`when ${what}, on_error: ${on_error} decides; it is logged, recorded and marked`, async (t) => {
      const server = await openGateServer(t, { ...options, routes: [route('/signup', { on_error })] });
      const answer = await server.signUp('ada@company.example');
      t.is(answer.status, on_error === 'block' ? 403 : 201);
      t.is(server.upstream.requests.length, on_error === 'block' ? 0 : 1);
      t.like(server.recorded[0], { action: on_error, degraded: true });
      t.true(server.log.some((line) => line.includes('a signup could not be judged')));
      if (on_error === 'block') return;
      const headers = server.upstream.requests[0]?.headers ?? {};
      t.like(headers, { 'x-gatekeeper-action': on_error, 'x-gatekeeper-degraded': 'true' });
      t.false('x-gatekeeper-score' in headers);
      t.like(decodeJwt(String(headers['x-gatekeeper-assertion'])), { score: null, risk_level: null });
    });
  }
}

test('a list decides although nothing could be evaluated', async (t) => {
  const server = await openGateServer(t, { examine: NOT_EVALUATED, deny: ['bad.example'] });
  t.is((await server.signUp('ada@bad.example')).status, 403);
  t.is((await server.signUp('ada@company.example')).status, 201);
});

test('one factor that was not evaluated marks the request, and the others decide', async (t) => {
  const server = await openGateServer(t, {
    examine: (factor) => {
      if (factor === 'email') throw new Error('no email today');
      return { classification: 'residential_ip', base: 85, evidence: null, findings: [], incomplete: null };
    },
  });
  t.is((await server.signUp('ada@company.example')).status, 201);
  t.like(server.upstream.requests[0]?.headers, {
    'x-gatekeeper-degraded': 'true',
    'x-gatekeeper-score': '85',
  });
});
