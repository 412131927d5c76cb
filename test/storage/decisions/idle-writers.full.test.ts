import test from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';
import { decisionWith, entryOf } from './decision-fixture.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`idle writers: ${MISSING_POSTGRES}`, () => {});

testPostgres(
  'a node without a signup for more than a week records the next one, and counts it once',
  async (t) => {
    const { direct } = await postgresDatabase(t);
    const admin = await connectPostgres(direct);
    t.teardown(() => admin.end());
    const records = await openStorage({ url: direct, clock: Date.now });
    t.teardown(() => records.close());
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    const entry = () => entryOf(account, { processedAt: Date.now() });
    await records.ledger.commit(entry());
    await admin.query("UPDATE scoring_writers SET written_at = now() - interval '8 days'");
    await records.decisions.deleteBefore(0);
    t.is((await admin.query('SELECT 1 FROM scoring_writers')).rows.length, 0);

    t.like(await records.ledger.commit(entry()), { granted: true, used: 2 });
    await records.decisions.record(decisionWith({ processedAt: Date.now() }));
    // Numbers continue: an earlier group that arrives late is still not written.
    t.deepEqual((await admin.query('SELECT number FROM scoring_writers')).rows, [{ number: '3' }]);
  },
);
