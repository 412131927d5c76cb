import test from 'ava';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { openVerifyingGate } from '../helpers/verifying-gate.ts';

const testPostgres = MISSING_POSTGRES === null ? test.serial : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`signups to hold: ${MISSING_POSTGRES}`, () => {});

/** A statement waits for 5 s, or 6 s on a connection in use. A second wait would make it 10 s. */
const ONE_WAIT_MS = 9_000;

testPostgres('a silent database keeps a signup that must be verified waiting once, not twice', async (t) => {
  const { proxy, signUp } = await openVerifyingGate(t);
  t.is((await signUp('before')).status, 403);
  await proxy.set('silent');
  for (const name of ['on.a.connection.in.use', 'without.a.connection']) {
    const { status, ms } = await signUp(name);
    t.is(status, 201, 'on_error: forward decides');
    t.true(ms < ONE_WAIT_MS, `${name}: ${ms} ms`);
  }
});

testPostgres('a locked table keeps a signup that must be verified waiting once, not twice', async (t) => {
  const { admin, signUp } = await openVerifyingGate(t);
  t.is((await signUp('before')).status, 403);
  await admin.query('BEGIN; LOCK TABLE held_signups IN ACCESS EXCLUSIVE MODE');
  const { status, ms } = await signUp('locked.out');
  await admin.query('ROLLBACK');
  t.is(status, 503, 'a sender may be able to keep the records busy');
  t.true(ms < ONE_WAIT_MS, `${ms} ms`);
  t.is((await signUp('after')).status, 403);
});
