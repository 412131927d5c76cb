import test from 'ava';
import {
  ANY_DECISION,
  type DecisionFilter,
} from '../../../../src/storage/decisions/search/decision-filter.ts';
import { openSqlite } from '../../../../src/storage/engine/open-sqlite.ts';
import { openDatabase } from '../../../helpers/empty-database.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

test('a page without matches among very many decisions says how far it searched, and continues from there', async (t) => {
  const file = `${temporaryFolder(t)}/x.db`;
  const records = await openDatabase(file, () => NOON);
  t.teardown(() => records.close());
  await records.decisions.record(
    decisionWith({ processedAt: NOON - 1, riskLevel: 'high', accountId: 'small' }),
  );
  const connection = openSqlite(file);
  connection.exec(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300000)
    INSERT INTO decisions (request_id, processed_at, door, test, scope, trust_score, risk_level, degraded, network,
      policy_revision, data_revision, identity, detail)
    SELECT 'r' || n, ${NOON} + n, 'api', 0, 's', 90, 'low', 0, 'n', 'p', 'd', '{}', '{}' FROM n`);
  connection.close();
  const filter: DecisionFilter = { ...ANY_DECISION, levels: ['high'] };
  let cursor: string | null = null;
  let pages = 0;
  for (;;) {
    const page = await records.decisionSearch.page(filter, cursor, 10);
    pages += 1;
    if (page?.decisions.length === 1) {
      t.is(page.searchedBackTo, null);
      t.is(page.next, null);
      break;
    }
    t.deepEqual(page?.decisions, []);
    t.true((page?.searchedBackTo ?? 0) > NOON);
    cursor = page?.next ?? null;
    t.not(cursor, null);
  }
  t.true(pages >= 2);
  // However few decisions an account has, they are found at once.
  const own = await records.decisionSearch.page({ ...ANY_DECISION, accountId: 'small' }, null, 10);
  t.like(own, { next: null, searchedBackTo: null, decisions: { length: 1 } });
});
