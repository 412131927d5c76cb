import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { sql } from 'kysely';
import { COPIED_TABLES } from '../../../src/storage/copy/copied-tables.ts';
import { isEqual } from '../../../src/storage/copy/copy-records.ts';
import { openEngine } from '../../../src/storage/open-engine.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { decisionWith, entryOf, NOON } from '../decisions/decision-fixture.ts';
import { copy, everything, openRecords } from './compared-records.ts';
import { change, clock, filledRecords } from './filled-records.ts';

const test = anyTest as TestFn;
const DECISIONS = 500;
const DAY_MS = 86_400_000;

/** Makes an empty database and returns its URL. */
export type MakeTarget = (t: ExecutionContext) => Promise<string>;

/** What a copy into any engine keeps. */
export function testCopy(engine: string, makeTarget: MakeTarget): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, from: string, to: string) => Promise<void>,
    decisions = DECISIONS,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      t.timeout(600_000);
      await run(t, await filledRecords(t, decisions), await makeTarget(t));
    });

  contract(
    'a copy has every row of every table, and serves as the source does',
    async (t, from, to) => {
      const { done, report } = await copy({ from, to });
      t.deepEqual(report.tables.map(({ name }) => name).sort(), COPIED_TABLES.map(({ name }) => name).sort());
      for (const table of report.tables) {
        t.true(isEqual(table), JSON.stringify(table));
        t.true(table.source.rows > 0, `${table.name} is empty: it is not tested`);
      }
      t.false(report.wasWritten);
      t.deepEqual(done.at(-1)?.[0], done.at(-1)?.[1], 'all of the progress is made');

      const [source, target] = [await openRecords(t, from), await openRecords(t, to)];
      t.deepEqual(await everything(target), await everything(source));
      // The numbers of rows go on after those of the source.
      const shop = await target.accounts.findByName('shop');
      if (!shop) throw new Error('no account');
      t.like(await target.ledger.commit(entryOf(shop, {}, { limit: 100 })), { granted: true, used: 6 });
      t.like(await target.ledger.commit(entryOf(shop, {}, { limit: 6 })), { granted: false, used: 6 });
      await target.decisions.record(decisionWith());
      await target.audit.record({
        ...{ at: NOON, actorId: null, actorName: 'a', act: 'account.created', subject: 's', detail: {} },
      });
      await target.exports.lease({ name: 'warehouse', owner: 'a' }, 60_000);
      t.true((await target.exports.nextBatch({ name: 'warehouse', owner: 'a' }, 100)) !== null);
      t.true((await target.decisions.deleteBefore(NOON - 30 * DAY_MS)) > 0);
      t.is(await target.decisions.erase({ mailboxHash: 'm7', spellingHash: 's7' }), 1);
    },
    2_000,
  );

  contract('a copy that was cut off at any row goes on and ends equal', async (t, from, to) => {
    let cuts = 0;
    for (let most = 200; ; most += 300) {
      try {
        const { report } = await copy({ from, to }, (done) => {
          if (done > most) throw new Error('cut off');
        });
        t.true(report.tables.every(isEqual));
        break;
      } catch (error) {
        if (!(error instanceof Error) || error.message !== 'cut off') throw error;
        cuts += 1;
        await t.throwsAsync(openStorage({ url: to, clock }), {
          name: 'StorageError',
          message: /holds an unfinished copy of records/,
        });
      }
    }
    t.true(cuts > 3, `${cuts} cuts`);
    t.deepEqual(await everything(await openRecords(t, to)), await everything(await openRecords(t, from)));
    await t.throwsAsync(copy({ from, to }), { message: /is not empty: its table \w+ has rows/ });
  });

  contract('two copies at once into one database: one of them ends, and it is equal', async (t, from, to) => {
    const results = await Promise.allSettled([copy({ from, to }), copy({ from, to })]);
    const ended = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    t.true(ended.length <= 1);
    for (const result of results) {
      if (result.status === 'rejected') t.is((result.reason as Error).name, 'StorageError');
    }
    const { report } = ended[0] ?? (await copy({ from, to }));
    t.true(report.tables.every(isEqual));
  });

  contract('what another program wrote into texts is replaced and named by its row', async (t, from, to) => {
    change(
      from,
      "UPDATE decisions SET user_agent = 'a' || char(0) || 'b' WHERE id = 17",
      "UPDATE decisions SET domain = CAST(x'61EDA08062' AS TEXT) WHERE id = 18",
      'UPDATE answers SET idempotency_key = char(0) WHERE id = 2',
      `UPDATE decisions SET detail = replace(detail, '"a tag"', '"\\u0000\\ud800"') WHERE id = 19`,
    );
    const { report, replaced } = await copy({ from, to });
    t.true(report.tables.every(isEqual));
    t.deepEqual(replaced, ['decisions 17', 'decisions 18', 'answers 2']);
    const target = await openEngine(to, clock);
    t.teardown(() => target.close());
    const { rows } =
      await sql`SELECT user_agent, domain FROM decisions WHERE id IN (17, 18) ORDER BY id`.execute(target.db);
    t.like(rows, [{ user_agent: 'a\ufffdb' }, { domain: 'a\ufffd\ufffd\ufffdb' }]);
    const written = await sql<{ detail: string }>`SELECT detail FROM decisions WHERE id = 19`.execute(
      target.db,
    );
    t.true(written.rows[0]?.detail.includes('"\\u0000\\ud800"'), 'JSON keeps its escapes');
  });

  contract('a source that changes between two runs is not taken for equal', async (t, from, to) => {
    await t.throwsAsync(
      copy({ from, to }, (done) => {
        if (done > 600) throw new Error('cut off');
      }),
    );
    change(from, "UPDATE accounts SET plan = 'free'");
    const { report } = await copy({ from, to });
    t.deepEqual(
      report.tables.filter((table) => !isEqual(table)).map(({ name }) => name),
      ['accounts'],
    );
    await t.throwsAsync(openStorage({ url: to, clock }), { message: /unfinished copy/ });
  });

  contract(
    'a source that is written meanwhile is copied as it was, and the report says so',
    async (t, from, to) => {
      let isWritten = false;
      const { report } = await copy({ from, to }, (done) => {
        if (isWritten || done < 300) return;
        isWritten = true;
        change(from, "UPDATE accounts SET plan = 'free'", 'DELETE FROM decisions WHERE id > 150');
      });
      t.true(report.wasWritten);
      t.true(report.tables.every(isEqual));
      t.is((await (await openRecords(t, to)).accounts.findByName('shop'))?.plan, 'pro');
    },
  );

  contract('an unfinished copy takes no other source, and is none itself', async (t, from, to) => {
    await t.throwsAsync(
      copy({ from, to }, () => {
        throw new Error('cut off');
      }),
    );
    const other = await filledRecords(t, 1);
    change(other, 'UPDATE schema_versions SET applied_at = 1');
    await t.throwsAsync(copy({ from: other, to }), { message: /of another source/ });
    await t.throwsAsync(copy({ from: to, to: await makeTarget(t) }), {
      message: /is itself an unfinished copy/,
    });
  });

  contract('records that were made with another hash secret are refused', async (t, from, to) => {
    const made = await openStorage({ url: from, clock });
    for (const fingerprint of ['first', 'made with', 'made with']) await made.noteHashSecret(fingerprint);
    await made.close();
    await t.throwsAsync(copy({ from, to, hashSecret: 'given' }), {
      name: 'StorageError',
      message: /its fingerprint is given, and the records have made with\. Nothing was copied\./,
    });
    t.true((await copy({ from, to, hashSecret: 'made with' })).report.tables.every(isEqual), 'it was empty');
    // A copy of the copy: the fingerprint went along.
    const next = await makeTarget(t);
    await t.throwsAsync(copy({ from: to, to: next, hashSecret: 'given' }), { message: /have made with\./ });
    t.true((await copy({ from: to, to: next })).report.tables.every(isEqual), 'without a secret to compare');
    const nodes = await openRecords(t, next);
    t.is(await nodes.fleet?.keepHashSecretFingerprint('given'), nodes.fleet ? 'made with' : undefined);
  });

  contract('records of which no server has noted the hash secret are copied', async (t, from, to) => {
    t.true((await copy({ from, to, hashSecret: 'given' })).report.tables.every(isEqual));
    const nodes = await openRecords(t, to);
    t.is(await nodes.fleet?.keepHashSecretFingerprint('later'), nodes.fleet ? 'later' : undefined);
  });

  contract('a source that is missing or of another version is refused', async (t, from, to) => {
    await t.throwsAsync(copy({ from: `${from}.none`, to }), { message: /There is no database/ });
    change(from, 'DELETE FROM schema_versions WHERE version = (SELECT max(version) FROM schema_versions)');
    await t.throwsAsync(copy({ from, to }), { message: /run "gatekeeper records migrate --records sqlite:/ });
    change(from, "INSERT INTO schema_versions VALUES (99, 'later', 0)");
    await t.throwsAsync(copy({ from, to }), { message: /made by a newer Gatekeeper/ });
    t.is((await openRecords(t, to)).fleet === null, !to.startsWith('postgres'), 'the target is as before');
  });
}
