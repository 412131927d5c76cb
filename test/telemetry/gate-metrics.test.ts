import test from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { startVerification, submit, submitJson, wrongCode } from '../verification/verification-server.ts';
import { contains, read } from './read-metrics.ts';

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
