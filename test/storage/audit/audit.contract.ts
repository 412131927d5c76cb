import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { AUDIT_ACTS, type AuditEntry } from '../../../src/storage/audit/audit-log.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: NOON,
  actorId: 'account-1',
  actorName: 'jane',
  act: 'key.revoked',
  subject: 'ci ending in wxyz',
  detail: { account: 'shop', count: 1, rotated: false, note: null },
  ...changes,
});

export function testAudit(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('an act is read back as it was logged', async (t, open) => {
    const { audit } = await open(() => NOON);
    await audit.record(entry());
    const [stored, ...others] = await audit.page({ before: null, limit: 10 });
    t.deepEqual(others, []);
    t.like(stored, entry());
  });

  contract('pages go from the newest back, each beginning where the last one ended', async (t, open) => {
    const { audit } = await open(() => NOON);
    for (let i = 0; i < 7; i++) await audit.record(entry({ at: NOON + i }));
    const seen: number[] = [];
    for (let before: number | null = null; ; ) {
      const page = await audit.page({ before, limit: 3 });
      seen.push(...page.map(({ at }) => at - NOON));
      const end = page.at(-1);
      if (!end) break;
      before = end.id;
    }
    t.deepEqual(seen, [6, 5, 4, 3, 2, 1, 0]);
  });

  contract('acts are found by actor and by act', async (t, open) => {
    const { audit } = await open(() => NOON);
    await audit.record(entry());
    await audit.record(entry({ actorId: 'account-2', act: 'key.created' }));
    await audit.record(entry({ actorId: null, actorName: 'the command line' }));
    const names = async (query: object) =>
      (await audit.page({ before: null, limit: 10, ...query })).map(({ actorId, act }) => [actorId, act]);
    t.deepEqual(await names({ actorId: 'account-2' }), [['account-2', 'key.created']]);
    t.deepEqual(await names({ act: 'key.revoked' }), [
      [null, 'key.revoked'],
      ['account-1', 'key.revoked'],
    ]);
    t.deepEqual(await names({ act: 'key.revoked', actorId: 'account-2' }), []);
  });

  contract('acts past their time are deleted, and no others', async (t, open) => {
    const { audit } = await open(() => NOON);
    for (let i = 0; i < 5; i++) await audit.record(entry({ at: NOON + i }));
    t.is(await audit.deleteBefore(NOON + 3), 3);
    t.is(await audit.deleteBefore(NOON + 3), 0);
    const left = await audit.page({ before: null, limit: 10 });
    t.deepEqual(
      left.map(({ at }) => at - NOON),
      [4, 3],
    );
  });

  contract('a text that is too long is cut, never refused, because the act has happened', async (t, open) => {
    const { audit } = await open(() => NOON);
    await audit.record(entry({ subject: 'x'.repeat(10_000), detail: { note: 'y'.repeat(10_000) } }));
    const [stored] = await audit.page({ before: null, limit: 1 });
    t.is(stored?.subject.length, 300);
    t.deepEqual(stored?.detail, { detail: 'too long to keep' });
  });

  contract('every act has plain words', async (t, open) => {
    await open(() => NOON);
    for (const [act, words] of Object.entries(AUDIT_ACTS)) {
      t.regex(act, /^[a-z_]+\.[a-z_]+$/);
      t.regex(words, /^[a-z].*[a-z]$/i);
    }
  });
}
