import test from 'ava';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openApiServer, SIGNUP } from '../api/api-server.ts';
import { openGateServer } from '../gate/gate-server.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { contains, exposition, read } from './read-metrics.ts';

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
