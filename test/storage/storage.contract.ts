import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Policy } from '../../src/assessment/policy.ts';
import type { Clock } from '../../src/clock.ts';
import type { Account } from '../../src/storage/accounts/account-store.ts';
import type { ScoringEntry } from '../../src/storage/decisions/scoring-ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { StorageConflictError } from '../../src/storage/storage-error.ts';
import { decisionWith, NOON } from './decisions/decision-fixture.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;

/** Opens the same records as often as it is called, as several processes would; the first time they are empty. */
type OpenAgain = (clock: Clock) => Promise<Storage>;

/** What every engine must do. `prepare` gives each test a database of its own, removed with the test. */
export function testRecords(engine: string, prepare: (t: ExecutionContext) => Promise<OpenAgain>): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('an account is found by id and by name, once made', async (t, open) => {
    const { accounts } = await open(() => NOON);
    const made = await accounts.create({ name: 'shop', plan: 'hobby' });
    t.is(made.createdAt, NOON);
    t.deepEqual(await accounts.find(made.id), made);
    t.deepEqual(await accounts.findByName('shop'), made);
    t.is(await accounts.find('nobody'), null);
    await accounts.setPlan(made.id, 'pro');
    t.is((await accounts.find(made.id))?.plan, 'pro');
    await t.throwsAsync(accounts.create({ name: 'shop', plan: 'hobby' }), {
      instanceOf: StorageConflictError,
    });
  });

  contract('accounts are paged by name, and found by a part of it', async (t, open) => {
    const { accounts } = await open(() => NOON);
    const names = ['b%d', 'a', 'c', 'B', 'shop_1', 'shopx1'];
    for (const name of names) await accounts.create({ name, plan: 'hobby' });
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await accounts.page({ after, limit: 2, text: null });
      seen.push(...page.map(({ name }) => name));
      after = page.at(-1)?.name ?? null;
      if (after === null) break;
    }
    t.deepEqual(seen, [...names].sort());
    const found = async (text: string) =>
      (await accounts.page({ after: null, limit: 9, text })).map(({ name }) => name);
    t.deepEqual(await found('b'), ['B', 'b%d']);
    t.deepEqual(await found('P_1'), ['shop_1']);
    t.deepEqual(await found('%'), ['b%d']);
  });

  contract(
    'ensuring an account at once from two processes makes one, with the plan given',
    async (t, open) => {
      const [one, other] = [await open(() => NOON), await open(() => NOON)];
      const accounts = await Promise.all(
        [one, other, one, other].map(({ accounts }) => accounts.ensure({ name: 'ci', plan: 'unlimited' })),
      );
      t.is(new Set(accounts.map(({ id }) => id)).size, 1);
      t.is((await one.accounts.ensure({ name: 'ci', plan: 'pro' })).plan, 'pro');
    },
  );

  contract('a key opens the door until it is revoked, in this process at once', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    t.is(await records.apiKeys.authorize('aa', NOON), null);
    const key = await records.apiKeys.create(keyOf(account));
    t.deepEqual(await records.apiKeys.authorize('aa', NOON), {
      ...{ keyId: key.id, accountId: account.id, accountName: 'shop', plan: 'pro', test: false },
      ...{ expiresAt: null, lastUsedAt: null },
    });
    t.deepEqual(await records.apiKeys.revoke('first'), [{ ...key, revokedAt: NOON, lastUsedAt: NOON }]);
    t.is(await records.apiKeys.authorize('aa', NOON), null);
    t.deepEqual(await records.apiKeys.revoke('first'), []);
  });

  contract('a revocation by another process holds half a second later', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    await cli.apiKeys.create(keyOf(account));
    t.truthy(await server.apiKeys.authorize('aa', NOON));
    await cli.apiKeys.revoke('wxyz');
    t.is(await server.apiKeys.authorize('aa', NOON + 500), null);
  });

  contract('a key made by another process is known half a second after it was not', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    t.is(await server.apiKeys.authorize('aa', NOON), null);
    await cli.apiKeys.create(keyOf(account));
    t.truthy(await server.apiKeys.authorize('aa', NOON + 500));
  });

  contract('a key is refused from the millisecond it expires, remembered or not', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    await records.apiKeys.create(keyOf(account, { expiresAt: NOON + 100 }));
    t.truthy(await records.apiKeys.authorize('aa', NOON + 99));
    t.is(await records.apiKeys.authorize('aa', NOON + 100), null);
    t.is(await records.apiKeys.authorize('aa', NOON + 5_000), null);
  });

  contract('a clock that is set back does not stretch what is remembered', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    await cli.apiKeys.create(keyOf(account));
    t.truthy(await server.apiKeys.authorize('aa', NOON));
    await cli.apiKeys.revoke('first');
    t.is(await server.apiKeys.authorize('aa', NOON - 3_600_000), null);
  });

  contract(
    'a second usable key of one name is refused, in place of an expired or revoked one not',
    async (t, open) => {
      let now = NOON;
      const { accounts, apiKeys } = await open(() => now);
      const account = await accounts.create({ name: 'shop', plan: 'pro' });
      await apiKeys.create(keyOf(account, { expiresAt: NOON + 100 }));
      await t.throwsAsync(apiKeys.create(keyOf(account, { sha256: 'bb' })), {
        instanceOf: StorageConflictError,
        message: /ends in wxyz.*revoke it first/,
      });
      now = NOON + 100;
      await t.notThrowsAsync(apiKeys.create(keyOf(account, { sha256: 'bb', lastFour: 'zzzz' })));
      await apiKeys.revoke('zzzz');
      await t.notThrowsAsync(apiKeys.create(keyOf(account, { sha256: 'cc' })));
    },
  );

  contract('an ambiguous name revokes nothing and names the keys', async (t, open) => {
    const { accounts, apiKeys } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    const key = await apiKeys.create(keyOf(account, { name: 'a' }));
    await apiKeys.create(keyOf(account, { name: 'b', sha256: 'bb' }));
    await t.throwsAsync(apiKeys.revoke('wxyz'), {
      instanceOf: StorageConflictError,
      message: new RegExp(key.id),
    });
    t.deepEqual((await apiKeys.list()).map((k) => [k.name, k.revokedAt, k.account.name]).sort(), [
      ['a', null, 'shop'],
      ['b', null, 'shop'],
    ]);
    t.is((await apiKeys.revoke(key.id)).length, 1);
  });

  contract('when a key was last used is noted, at most once a minute', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    await records.apiKeys.create(keyOf(account));
    const lastUsed = async (at: number) => {
      await records.apiKeys.authorize('aa', at);
      await records.ledger.commit(entryOf(account, { processedAt: at }));
      return (await records.apiKeys.list())[0]?.lastUsedAt;
    };
    t.is(await lastUsed(NOON), NOON);
    t.is(await lastUsed(NOON + 59_999), NOON);
    t.is(await lastUsed(NOON + 61_000), NOON + 61_000);
  });

  contract(
    '2,000 requests of a hobby key get exactly 1,000 places, through two processes',
    async (t, open) => {
      const processes = [await open(() => NOON), await open(() => NOON)];
      const account = await processes[0]?.accounts.create({ name: 'shop', plan: 'hobby' });
      if (!account) return t.fail();
      const outcomes = [];
      for (let sent = 0; sent < 2_000; sent += 200) {
        const wave = Array.from({ length: 200 }, (_, i) =>
          processes[i % 2]?.ledger.commit(entryOf(account, {}, { limit: 1_000 })),
        );
        outcomes.push(...(await Promise.all(wave)));
      }
      const granted = outcomes.filter((outcome) => outcome?.granted).map((outcome) => outcome?.used);
      t.deepEqual(
        granted.sort((a, b) => (a ?? 0) - (b ?? 0)),
        Array.from({ length: 1_000 }, (_, i) => i + 1),
      );
      for (const { quotas, ledger } of processes) {
        t.is((await quotas.usage(account.id, NOON)).used, 1_000);
        t.false(await ledger.hasRoom(account.id, 1_000, NOON));
        t.true(await ledger.hasRoom(account.id, 1_001, NOON));
      }
    },
  );

  contract('a quota begins anew with the calendar month in UTC, and days are told apart', async (t, open) => {
    const { accounts, ledger, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const at = (time: string) => Date.parse(time);
    const commit = (time: string) => ledger.commit(entryOf(account, { processedAt: at(time) }, { limit: 2 }));
    t.true((await commit('2026-11-29T10:00:00Z')).granted);
    t.true((await commit('2026-11-30T23:59:59.999Z')).granted);
    t.false((await commit('2026-11-30T23:59:59.999Z')).granted);
    t.false(await ledger.hasRoom(account.id, 2, at('2026-11-30T23:59:59Z')));
    t.true(await ledger.hasRoom(account.id, 2, at('2026-12-01T00:00:00Z')));
    t.deepEqual(await commit('2026-12-01T00:00:00Z'), { granted: true, used: 1 });
    t.deepEqual(await quotas.usage(account.id, at('2026-11-30T00:00:00Z')), {
      used: 2,
      days: [
        { date: '2026-11-29', used: 1 },
        { date: '2026-11-30', used: 1 },
      ],
    });
    t.deepEqual(await quotas.usage('nobody', NOON), { used: 0, days: [] });
  });

  contract('what an account used is told apart by key, and adds up to the same', async (t, open) => {
    const { accounts, ledger, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    const other = await accounts.create({ name: 'other', plan: 'pro' });
    const commit = (keyId: string, processedAt = NOON) =>
      ledger.commit(entryOf(account, { keyId, processedAt }, { limit: 9 }));
    await Promise.all([commit('a'), commit('b'), commit('a'), commit('a', NOON + DAY_MS)]);
    await commit('a', NOON - 40 * DAY_MS);
    await ledger.commit(entryOf(other, { keyId: 'c' }));
    t.deepEqual([...(await quotas.usageByKey(account.id, NOON))].sort(), [
      ['a', 3],
      ['b', 1],
    ]);
    t.is((await quotas.usage(account.id, NOON)).used, 4);
    t.deepEqual((await quotas.usage(account.id, NOON)).days, [
      { date: '2026-11-21', used: 3 },
      { date: '2026-11-22', used: 1 },
    ]);
    const all = await quotas.usageOf([account.id, other.id, 'nobody'], NOON);
    t.deepEqual([all.get(account.id), all.get(other.id), all.get('nobody')], [4, 1, undefined]);
    t.is((await quotas.usageOf([], NOON)).size, 0);
  });

  contract('a refused request leaves nothing behind', async (t, open) => {
    const { accounts, ledger, decisions } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, {}, { limit: 0, answer: answerOf('k1') });
    t.deepEqual(await ledger.commit(entry), { granted: false, used: 0, answered: null });
    t.is(await decisions.find(entry.decision.requestId, account.id), null);
    t.is(await ledger.findAnswer(account.id, 'k1', NOON), null);
  });

  contract("a test key's decision is written with its answer, but not counted", async (t, open) => {
    const { accounts, ledger, decisions, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, { test: true }, { limit: 0, answer: answerOf('k1') });
    t.true((await ledger.commit(entry)).granted);
    t.truthy(await decisions.find(entry.decision.requestId, account.id));
    t.truthy(await ledger.findAnswer(account.id, 'k1', NOON));
    t.is((await quotas.usage(account.id, NOON)).used, 0);
  });

  contract('an answer is found for a day, by its account alone', async (t, open) => {
    const { accounts, ledger } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, {}, { answer: answerOf('k1') });
    await ledger.commit(entry);
    const answer = { bodySha256: 'body-of-k1', body: '{"k":"k1"}', requestId: entry.decision.requestId };
    t.deepEqual(await ledger.findAnswer(account.id, 'k1', NOON + DAY_MS - 1), answer);
    t.is(await ledger.findAnswer(account.id, 'k1', NOON + DAY_MS), null);
    t.is(await ledger.findAnswer('other', 'k1', NOON), null);
    const later = entryOf(account, { processedAt: NOON + DAY_MS }, { answer: answerOf('k1') });
    t.true((await ledger.commit(later)).granted, 'an expired answer is replaced');
  });

  contract('of twins under one idempotency key one counts, the others get its answer', async (t, open) => {
    const processes = [await open(() => NOON), await open(() => NOON)];
    const account = await processes[0]?.accounts.create({ name: 'shop', plan: 'hobby' });
    if (!account) return t.fail();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        processes[i % 2]?.ledger.commit(entryOf(account, {}, { answer: answerOf('k1') })),
      ),
    );
    t.is(outcomes.filter((outcome) => outcome?.granted).length, 1);
    for (const outcome of outcomes) {
      if (outcome && !outcome.granted) t.is(outcome.answered?.bodySha256, 'body-of-k1');
    }
    t.is((await processes[1]?.quotas.usage(account.id, NOON))?.used, 1);
  });

  contract('one entry that cannot be written does not fail those beside it', async (t, open) => {
    const { accounts, ledger, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const twin = entryOf(account);
    const results = await Promise.allSettled(
      [entryOf(account), twin, twin, entryOf({ ...account, id: 'no such account' }), entryOf(account)].map(
        (entry) => ledger.commit(entry),
      ),
    );
    t.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    t.is((await quotas.usage(account.id, NOON)).used, 3);
  });

  contract('a decision comes back as it was written, to its account alone', async (t, open) => {
    const { accounts, ledger, decisions } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const decision = decisionWith({
      accountId: account.id,
      scope: account.id,
      route: 'web "ünï" \u2028',
      action: 'forward',
      wantedAction: 'verify',
      mode: 'monitor',
      degraded: true,
      lists: [{ verdict: 'denied', code: 'denylisted_email', evidence: 'bad.example' }],
      plain: { email: 'a@example.com', ip: '203.0.113.9', userAgent: null },
    });
    await ledger.commit({ accountId: account.id, keyId: 'k', limit: null, decision, answer: null });
    const stored = await decisions.find(decision.requestId, account.id);
    t.deepEqual(stored, { ...decision, outcome: null, label: null, repeats: 0, lastSeenAt: null });
    t.is(await decisions.find(decision.requestId, 'other'), null);
    t.is(await decisions.find("' OR 1=1 --", account.id), null);
    t.false(await decisions.label(decision.requestId, 'other', 'fraud'));
    t.true(await decisions.label(decision.requestId, account.id, 'fraud'));
    t.true(await decisions.label(decision.requestId, account.id, 'legitimate'));
    t.is((await decisions.find(decision.requestId, account.id))?.label, 'legitimate');
  });

  contract(
    'recent attempts come oldest first, without test keys, whatever order they were written in',
    async (t, open) => {
      const { decisions } = await open(() => NOON);
      const times = Array.from({ length: 1_100 }, (_, i) => NOON + (((i * 7) % 1_100) >> 1));
      await Promise.all(times.map((processedAt) => decisions.record(decisionWith({ processedAt }))));
      await decisions.record(decisionWith({ test: true }));
      await decisions.record(decisionWith({ processedAt: NOON - 1 }));
      const seen = [];
      for await (const attempt of decisions.recent(NOON)) seen.push(attempt);
      t.deepEqual(
        seen.map(({ processedAt }) => processedAt),
        times.sort((a, b) => a - b),
      );
      const { identity } = decisionWith();
      t.deepEqual(seen[0], { processedAt: NOON, scope: 'gate', identity, isRefused: false });
    },
  );

  contract('of recent attempts it is known which were refused', async (t, open) => {
    const { decisions } = await open(() => NOON);
    const ends = [
      [{ riskLevel: 'high', action: null }, true],
      [{ riskLevel: 'medium', action: null }, false],
      [{ riskLevel: 'high', action: 'verify', mode: 'enforce' }, false],
      [{ riskLevel: 'medium', action: 'block', mode: 'enforce' }, true],
      [{ riskLevel: 'high', action: 'block', mode: 'monitor' }, true],
    ] as const;
    for (const [i, [end]] of ends.entries()) {
      await decisions.record(decisionWith({ processedAt: NOON + i, ...end }));
    }
    const seen = [];
    for await (const { isRefused } of decisions.recent(NOON)) seen.push(isRefused);
    t.deepEqual(
      seen,
      ends.map(([, isRefused]) => isRefused),
    );
  });

  contract('a policy comes back by its revision, its first meaning kept', async (t, open) => {
    const { decisions } = await open(() => NOON);
    const policy: Policy = {
      weights: { email: 40, ip_address: 30, velocity: 20, user_agent: 10 },
      levels: { low: 70, medium: 40 },
      caps: { one_high_factor: 69, two_high_factors: 39, decisive: 20 },
      decisive: new Set(['disposable_email']),
      points: { subaddressed_email: 0 },
    };
    await decisions.savePolicy('r1', policy);
    await decisions.savePolicy('r1', { ...policy, points: {} });
    t.deepEqual(await decisions.findPolicy('r1'), policy);
    t.is(await decisions.findPolicy('r2'), null);
  });

  contract('what is past its time is deleted, and nothing else', async (t, open) => {
    const { accounts, ledger, decisions, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const ages = Array.from({ length: 600 }, (_, i) => i);
    await Promise.all(
      ages.map((age) => {
        const answer = age < 3 ? answerOf(`k${age}`) : null;
        return ledger.commit(entryOf(account, { processedAt: NOON - age * DAY_MS }, { answer }));
      }),
    );
    t.is(await decisions.deleteBefore(NOON - 90 * DAY_MS), 509 + 2);
    t.is(await decisions.deleteBefore(NOON - 90 * DAY_MS), 0);
    const left = [];
    for await (const attempt of decisions.recent(0)) left.push(attempt);
    t.is(left.length, 91);
    t.truthy(await ledger.findAnswer(account.id, 'k0', NOON));
    t.is((await quotas.usage(account.id, NOON)).used, 21, 'counts stay');
  });

  contract('erasing a mailbox removes all its decisions and answers, and no others', async (t, open) => {
    const { accounts, ledger, decisions } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const identity = decisionWith().identity;
    const of = (mailbox: string | null, spelling: string | null, key: string) =>
      entryOf(account, { identity: { ...identity, mailbox, spelling } }, { answer: answerOf(key) });
    await Promise.all([
      ...Array.from({ length: 300 }, (_, i) => ledger.commit(of('person', `spelling ${i}`, `p${i}`))),
      ledger.commit(of('merged otherwise once', 'spelled', 'p300')),
      ledger.commit(of('neighbour', 'other', 'n')),
      ledger.commit(of(null, null, 'none')),
    ]);
    const erase = () => decisions.erase({ mailboxHash: 'person', spellingHash: 'spelled' });
    t.is(await erase(), 301);
    t.is(await erase(), 0);
    t.is(await ledger.findAnswer(account.id, 'p7', NOON), null);
    t.is(await ledger.findAnswer(account.id, 'p300', NOON), null);
    t.truthy(await ledger.findAnswer(account.id, 'n', NOON));
    t.truthy(await ledger.findAnswer(account.id, 'none', NOON));
  });

  contract('what was acknowledged is there when the records are opened again', async (t, open) => {
    const first = await open(() => NOON);
    const account = await first.accounts.create({ name: 'shop', plan: 'hobby' });
    await first.apiKeys.create(keyOf(account));
    const commits = Array.from({ length: 50 }, () => first.ledger.commit(entryOf(account)));
    await first.close();
    await Promise.all(commits);
    await t.throwsAsync(first.ledger.commit(entryOf(account)), { name: 'StorageBusyError' });
    const second = await open(() => NOON);
    await t.notThrowsAsync(second.ping());
    t.is((await second.quotas.usage(account.id, NOON)).used, 50);
    t.truthy(await second.apiKeys.authorize('aa', NOON));
  });
}

function keyOf(account: Account, changes: object = {}) {
  const key = { name: 'first', sha256: 'aa', lastFour: 'wxyz', test: false, expiresAt: null };
  return { accountId: account.id, ...key, ...changes };
}

function entryOf(
  account: Account,
  decision: Parameters<typeof decisionWith>[0] = {},
  changes: Partial<Pick<ScoringEntry, 'limit' | 'answer'>> = {},
): ScoringEntry {
  const accountId = account.id;
  return {
    accountId,
    keyId: 'key',
    limit: null,
    decision: decisionWith({ accountId, keyId: 'key', scope: accountId, ...decision }),
    answer: null,
    ...changes,
  };
}

function answerOf(idempotencyKey: string): NonNullable<ScoringEntry['answer']> {
  return { idempotencyKey, bodySha256: `body-of-${idempotencyKey}`, body: `{"k":"${idempotencyKey}"}` };
}
