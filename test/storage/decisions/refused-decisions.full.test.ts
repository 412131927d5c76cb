import test from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';
import { decisionWith } from './decision-fixture.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`refused decisions: ${MISSING_POSTGRES}`, () => {});

for (const [title, code, message] of [
  ['has no room', '53100', /no room left/],
  ['takes a right away', '42501', /refuses this user/],
] as const) {
  testPostgres(`a database that ${title} for decisions does not count as answering`, async (t) => {
    const { direct } = await postgresDatabase(t);
    const admin = await connectPostgres(direct);
    t.teardown(() => admin.end());
    const records = await openStorage({ url: direct, clock: Date.now });
    t.teardown(() => records.close());
    const record = () => records.decisions.record(decisionWith({ processedAt: Date.now() }));
    await record();
    await t.notThrowsAsync(records.ping());
    await admin.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`,
    );
    await admin.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON decisions FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    await t.throwsAsync(record(), { message });
    await t.throwsAsync(records.ping(), { message });
    await admin.query('DROP TRIGGER refuse ON decisions');
    await record();
    await t.notThrowsAsync(records.ping());
  });
}
