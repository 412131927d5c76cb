import test from 'ava';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { until } from '../helpers/until.ts';
import { openVerifyingGate } from '../helpers/verifying-gate.ts';

const testPostgres = MISSING_POSTGRES === null ? test.serial : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`signups in doubt: ${MISSING_POSTGRES}`, () => {});

/** Longer than a node waits, as for a synchronous standby that does not answer: then the commit is done. */
const SLOW_COMMIT = `CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_sleep(8); RETURN NULL; END $$`;
const slow = (event: string) => `CREATE CONSTRAINT TRIGGER slow AFTER ${event} ON held_signups
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW`;

testPostgres(
  'a confirmation whose commit takes too long can be made again, and reaches the app once',
  async (t) => {
    const { admin, mailbox, signUp, confirm, received } = await openVerifyingGate(t);
    const { path } = await signUp('jane');
    const [mail] = await mailbox.received(1);
    await admin.query(SLOW_COMMIT);
    await admin.query(
      `${slow('UPDATE')} WHEN (OLD.state = 'waiting' AND NEW.state = 'claimed') EXECUTE FUNCTION commit_slowly()`,
    );
    t.is(await confirm(path, mail?.code ?? ''), 503);
    await admin.query('DROP TRIGGER slow ON held_signups');
    await until(async () => (await confirm(path, mail?.code ?? '')) === 201);
    t.deepEqual(received(), ['jane']);
  },
);

testPostgres('a signup whose commit takes too long is forwarded, and then not held', async (t) => {
  const { admin, signUp, received } = await openVerifyingGate(t);
  await admin.query(SLOW_COMMIT);
  await admin.query(`${slow('INSERT')} EXECUTE FUNCTION commit_slowly()`);
  t.is((await signUp('jane')).status, 201, 'on_error: forward decides');
  t.deepEqual(received(), ['jane']);
  const count = async (table: string) => (await admin.query(`SELECT 1 FROM ${table}`)).rows.length;
  // DROP waits for the commit.
  await admin.query('DROP TRIGGER slow ON held_signups');
  await until(async () => (await count('held_signups')) + (await count('verification_mails')) === 0);
  t.is((await signUp('joe')).status, 403);
  t.is(await count('held_signups'), 1);
});
