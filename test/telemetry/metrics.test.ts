import test, { type ExecutionContext } from 'ava';
import { isOld } from '../../src/datasets/feed-age.ts';
import { createExposition } from '../../src/telemetry/exposition.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { openApiServer, SIGNUP } from '../api/api-server.ts';
import { openGateServer } from '../gate/gate-server.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { route } from '../helpers/routes.ts';
import { startVerification, submit, submitJson, wrongCode } from '../verification/verification-server.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

/** The lines of the exposition with values, by the text before the number. */
async function read(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const text = await exposition(metrics).render();
  const lines = text.split('\n').filter((line) => line.startsWith('gatekeeper_'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice('gatekeeper_'.length, end), Number(line.slice(end + 1))] as const;
    }),
  );
}

function exposition(metrics: Metrics) {
  return createExposition({
    metrics,
    lagMs: () => 12.5,
    recordsQueueLength: () => 3,
    status: () => ({
      seesUntrustedForwarding: true,
      certificateExpiresAt: NOON + 86_400_000,
      datasets: [
        { name: 'roles', date: '2026-11-20', fetchedAt: null, failure: null, oldAfterMs: null },
        {
          name: 'tor',
          date: '2026-11-21',
          fetchedAt: NOON - 60_000,
          failure: 'no answer',
          oldAfterMs: 90_000,
        },
        { name: 'vpn', date: 'never', fetchedAt: null, failure: 'no answer', oldAfterMs: 90_000 },
      ],
    }),
    isOld,
    engines: async () => ({ records: true, counters: false }),
    fleet: () => null,
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => [],
    exports: () => [
      { name: 'warehouse', progress: { waiting: 12, givenUp: 5, failingSince: NOON - 90_000 } },
      { name: 'alerts', progress: { waiting: 0, givenUp: 0, failingSince: null } },
      { name: 'new', progress: null },
    ],
    clock: () => NOON,
  });
}

function contains(t: ExecutionContext, seen: ReadonlyMap<string, number>, expected: Record<string, number>) {
  for (const [name, value] of Object.entries(expected)) t.is(seen.get(name), value, name);
}

test('decisions of the API are counted by level, those of test keys apart, and answers by their code', async (t) => {
  const api = await openApiServer(t);
  await api.post(SIGNUP);
  await api.post(SIGNUP);
  await api.post(SIGNUP, { key: await api.createKey({ test: true }) });
  await api.post({ email: 'nobody' });
  await api.post(SIGNUP, { key: null });
  await api.call('GET', '/nowhere');
  const tiny = await api.createKey({ plan: 'tiny' });
  for (let i = 0; i < 5; i++) await api.post(SIGNUP, { key: tiny });
  contains(t, await read(api.metrics), {
    'decisions_total{door="api",route="",risk_level="low",action="",wanted_action="",mode=""}': 5,
    'test_decisions_total{risk_level="low"}': 1,
    // Those of test keys too.
    'recording_seconds_count{door="api"}': 6,
    'recording_seconds_count{door="gate"}': 0,
    'api_answers_total{status="200",code="ok"}': 6,
    'api_answers_total{status="400",code="invalid_request"}': 1,
    'api_answers_total{status="401",code="missing_api_key"}': 1,
    'api_answers_total{status="404",code="not_found"}': 1,
    'api_answers_total{status="429",code="quota_exceeded"}': 2,
    'judging_seconds_count{door="api"}': 5,
    'judging_seconds_bucket{door="api",le="+Inf"}': 5,
  });
});

test('a factor that was not evaluated, or not completely, is counted with its decision', async (t) => {
  const api = await openApiServer(t, {
    examine(factor) {
      if (factor === 'email') throw new Error('broken');
      const clean = examinations()[factor] ?? examination('normal_velocity');
      return factor === 'ip_address' ? { ...clean, incomplete: 'dns: timeout' } : clean;
    },
  });
  await api.post(SIGNUP);
  contains(t, await read(api.metrics), {
    'degraded_decisions_total{door="api"}': 1,
    'degraded_factors_total{factor="email",state="not_evaluated"}': 1,
    'degraded_factors_total{factor="ip_address",state="incomplete"}': 1,
  });
});

test('the gate counts requests, its decisions by route and mode, and its refusals', async (t) => {
  const gate = await openGateServer(t, {
    routes: [route('/signup', { name: 'web' }), route('/watch', { name: 'watched', mode: 'monitor' })],
  });
  await gate.signUp('ada@example.com');
  await gate.signUp('high@example.com');
  await fetch(`${gate.url}/watch`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ email: 'high@example.com' }),
  });
  await fetch(`${gate.url}/about`);
  await fetch(`${gate.url}/signup`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"email": ' },
  });
  contains(t, await read(gate.metrics), {
    'decisions_total{door="gate",route="web",risk_level="low",action="forward",wanted_action="forward",mode="enforce"}': 1,
    'decisions_total{door="gate",route="web",risk_level="high",action="block",wanted_action="block",mode="enforce"}': 1,
    'decisions_total{door="gate",route="watched",risk_level="high",action="forward",wanted_action="block",mode="monitor"}': 1,
    'gate_requests_total{kind="gated"}': 4,
    'gate_requests_total{kind="pass"}': 1,
    'gate_refusals_total{code="malformed_json"}': 1,
    'judging_seconds_count{door="gate"}': 3,
  });
});

test('shed requests, undecided signups and an app that does not answer are counted', async (t) => {
  let timesLimit = 9;
  const gate = await openGateServer(t, {
    upstreamUrl: 'http://127.0.0.1:9',
    lag: () => timesLimit,
    examine() {
      throw new Error('broken');
    },
  });
  await gate.signUp('ada@example.com');
  for (let i = 0; i < 2; i++) await fetch(gate.url);
  timesLimit = 0;
  await gate.signUp('ada@example.com');
  await fetch(gate.url);
  contains(t, await read(gate.metrics), {
    'shed_requests_total{door="gate",kind="gated"}': 1,
    'shed_requests_total{door="gate",kind="pass"}': 2,
    'on_error_total{because="not_judged",action="forward"}': 1,
    'decisions_total{door="gate",route="/signup",risk_level="none",action="forward",wanted_action="forward",mode="enforce"}': 1,
    'upstream_problems_total{code="bad_gateway"}': 2,
  });
});

test('a signup that cannot be held, and a decision that cannot be written, are counted', async (t) => {
  const gate = await openGateServer(t, {
    routes: [route('/signup', { verify: { by: 'email' } })],
    proxy: { public_url: 'https://app.example' },
    record: () => Promise.reject(new Error('no disk')),
  });
  await gate.records.close();
  await gate.signUp('medium@example.com');
  contains(t, await read(gate.metrics), {
    unrecorded_decisions_total: 1,
    'on_error_total{because="hold_failed",action="forward"}': 1,
  });
});

test('held signups are counted from the mail to the replay', async (t) => {
  const held = await startVerification(t, {
    verification: { mails_per_hour: { mailbox: 1, address: 9, site: 9 } },
  });
  const { path, code } = await held.holdAndMail();
  t.is((await held.hold()).kind, 'too-many-mails');
  await submit(held, path, { code: wrongCode(code) });
  await submitJson(held, path, { code });
  t.true(await held.takePass('jane@example.com'));
  const locked = await held.holdAndMail('joe@example.com');
  for (let i = 1; i <= 5; i++) await submit(held, locked.path, { code: wrongCode(locked.code, i) });
  const { linkPath } = await held.holdAndMail('ann@example.com');
  await submit(held, linkPath, { action: 'report' });
  contains(t, await read(held.metrics), {
    'verification_holds_total{outcome="held"}': 3,
    'verification_holds_total{outcome="too_many_mails"}': 1,
    'verification_mails_total{result="sent"}': 3,
    'verification_mails_total{result="over_budget"}': 1,
    'verification_steps_total{step="confirmed"}': 1,
    'verification_steps_total{step="wrong_code"}': 5,
    'verification_steps_total{step="locked"}': 1,
    'verification_steps_total{step="reported"}': 1,
    'verification_steps_total{step="passed_again"}': 1,
    'verification_replays_total{outcome="answered"}': 1,
  });
});

test('no line holds personal data, and Prometheus can read the text', async (t) => {
  const gate = await openGateServer(t);
  for (const name of ['ada', 'medium', 'high']) await gate.signUp(`${name}@private.example`);
  const { render, contentType } = exposition(gate.metrics);
  const text = await render();
  t.is(contentType, 'text/plain; version=0.0.4; charset=utf-8');
  t.notRegex(text, /private|@|127\.0\.0\.1|ada|[0-9a-f]{8}-[0-9a-f]{4}/);
  for (const line of text.split('\n').filter((each) => each !== '')) {
    t.regex(
      line,
      /^(?:# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? \S+)$/,
    );
  }
});

test('gauges are read when they are requested', async (t) => {
  const seen = await read(createMetrics());
  contains(t, seen, {
    event_loop_lag_seconds: 0.0125,
    records_queue_length: 3,
    untrusted_forwarding: 1,
    certificate_remaining_seconds: 86_400,
    'dataset_age_seconds{dataset="roles"}': 129_600,
    'dataset_age_seconds{dataset="tor"}': 60,
    'engine_up{engine="records"}': 1,
    'engine_up{engine="counters"}': 0,
    'export_waiting_decisions{export="warehouse"}': 12,
    'export_given_up_decisions{export="warehouse"}': 5,
    'export_failing_seconds{export="warehouse"}': 90,
    'export_failing_seconds{export="alerts"}': 0,
    'dataset_fetch_failing{dataset="tor"}': 1,
    'dataset_fetch_failing{dataset="vpn"}': 1,
    'dataset_old{dataset="tor"}': 0,
    'dataset_old{dataset="vpn"}': 1,
  });
  t.false(seen.has('dataset_age_seconds{dataset="vpn"}'));
  t.false(seen.has('dataset_old{dataset="roles"}'));
  t.false(seen.has('export_waiting_decisions{export="new"}'));
});

test('buckets of the judging time add up to the count', async (t) => {
  const metrics = createMetrics();
  const judgement = { attempt: { door: 'api', route: null }, degraded: false, examinations: {} };
  for (const elapsedMs of [0.005, 0.05, 0.07, 2, 2_000]) {
    const decision = { score: { riskLevel: 'low' }, action: null, wantedAction: null, mode: null };
    metrics.decisions.decided({ ...decision, judgement: { ...judgement, elapsedMs } }, false);
  }
  contains(t, await read(metrics), {
    'judging_seconds_bucket{door="api",le="0.00001"}': 1,
    'judging_seconds_bucket{door="api",le="0.00005"}': 2,
    'judging_seconds_bucket{door="api",le="0.00008"}': 3,
    'judging_seconds_bucket{door="api",le="0.002"}': 4,
    'judging_seconds_bucket{door="api",le="1"}': 4,
    'judging_seconds_bucket{door="api",le="+Inf"}': 5,
    'judging_seconds_sum{door="api"}': 2.002125,
  });
});
