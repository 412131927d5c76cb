import test from 'ava';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { findDetails } from '../../../../src/storage/decisions/search/campaign-details.ts';
import { openSqlite } from '../../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../../src/storage/engine/sqlite-fragments.ts';
import type { StorageSchema } from '../../../../src/storage/storage-schema.ts';
import { openDatabase } from '../../../helpers/empty-database.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { prepareSqlite } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
import { testCampaignDetails } from './campaign-details.contract.ts';

testCampaignDetails('SQLite', prepareSqlite);

test('one pass over the index reads all about a campaign', async (t) => {
  const file = `${temporaryFolder(t)}/x.db`;
  const records = await openDatabase(file, () => NOON);
  t.teardown(() => records.close());
  const identity = { ...decisionWith().identity, template: 'promo' };
  await records.decisions.record(decisionWith({ processedAt: NOON - 1, identity }));
  const query = { accountId: null, from: NOON - 1_000, to: NOON };
  const connection = openSqlite(file);
  const queries: CompiledQuery[] = [];
  const reader = new Kysely<StorageSchema>({
    dialect: new SqliteDialect({ database: connection }),
    log: ({ query: asked }) => {
      queries.push(asked);
    },
  });
  t.teardown(() => reader.destroy());
  for (const [kind, key] of [
    ['template', 'promo'],
    ['domain', 'example.com'],
    ['network', '203.0.113.0/24'],
    ['device', '203.0.113.0/24 agent-hash'],
  ] as const) {
    const campaign = await records.decisionSearch.campaign({ ...query, kind }, key);
    if (!campaign) throw new Error('the campaign is not there');
    queries.length = 0;
    await findDetails({ reader, fragments: sqliteFragments }, campaign);
    t.is(queries.length, 1);
    const plan = queries.flatMap(
      ({ sql, parameters }) =>
        connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parameters) as { detail: string }[],
    );
    t.deepEqual(
      plan.map(({ detail }) => detail).filter((detail) => /decisions/.test(detail)),
      ['SEARCH decisions USING COVERING INDEX decisions_search (processed_at>? AND processed_at<?)'],
      kind,
    );
  }
});
