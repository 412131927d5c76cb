import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Policy } from '../../../src/assessment/policy.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';
import { answerOf, decisionWith, entryOf, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;

/** Decisions as they are read, labelled and deleted. */
export function testDecisions(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('a decision is read back unchanged, by its account only', async (t, open) => {
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
    'decisions of the gate are found and labelled without an account, and no others are',
    async (t, open) => {
      const { decisions } = await open(() => NOON);
      const { ofGate } = decisions;
      const gate = decisionWith({ door: 'gate' });
      const api = decisionWith({ door: 'api', accountId: 'shop', processedAt: NOON + 1 });
      const registration = decisionWith({ door: 'gate', scope: 'dashboard', processedAt: NOON + 2 });
      for (const decision of [gate, api, registration]) await decisions.record(decision);
      t.is((await ofGate.find(gate.requestId))?.requestId, gate.requestId);
      t.true(await ofGate.label(gate.requestId, 'fraud'));
      t.is((await ofGate.find(gate.requestId))?.label, 'fraud');
      for (const requestId of [api.requestId, registration.requestId, "' OR 1=1 --", '']) {
        t.is(await ofGate.find(requestId), null);
        t.false(await ofGate.label(requestId, 'fraud'));
      }
      t.is((await decisions.find(api.requestId, 'shop'))?.label, null);
      t.is(await decisions.find(gate.requestId, 'shop'), null);
    },
  );

  contract(
    'recent attempts are oldest first, without test keys, in any order of writing',
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

  contract(
    'recent attempts have the mail server and the corrected mailbox of their decision',
    async (t, open) => {
      const { ledger, accounts, decisions } = await open(() => NOON);
      const account = await accounts.create({ name: 'shop', plan: 'hobby' });
      const { identity, examinations } = decisionWith();
      if (!examinations.email) return t.fail();
      const decision = {
        identity: { ...identity, countedAs: 'mistyped-hash' },
        examinations: {
          ...examinations,
          email: { ...examinations.email, fields: { domain: 'acme.de', mail_server: 'hoster.com' } },
        },
      };
      await ledger.commit(entryOf(account, decision));
      await decisions.record(decisionWith({ ...decision, processedAt: NOON + 1 }));
      const seen = [];
      for await (const attempt of decisions.recent(NOON - 1)) seen.push(attempt.identity);
      const stored = { ...identity, countedAs: 'mistyped-hash', mailServer: 'hoster.com' };
      t.deepEqual(seen, [stored, stored]);
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

  contract('conclusions are read in their order, and again after a change', async (t, open) => {
    let now = NOON;
    const { accounts, ledger, decisions } = await open(() => now);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entries = [0, 1, 2, 3].map((i) => entryOf(account, { processedAt: NOON - i, test: i === 3 }));
    await Promise.all(entries.map((entry) => ledger.commit(entry)));
    const label = (i: number, value: 'fraud' | 'legitimate') =>
      decisions.label(entries[i]?.decision.requestId ?? '', account.id, value);
    const read = async (since: number) => {
      const found = [];
      for await (const one of decisions.concluded(since)) found.push(one);
      return found.map(({ processedAt, label }) => [NOON - processedAt, label]);
    };
    t.deepEqual(await read(0), []);
    now = NOON + 10;
    t.true(await label(2, 'legitimate'));
    t.true(await label(3, 'legitimate'));
    now = NOON + 20;
    t.true(await label(0, 'fraud'));
    t.deepEqual(
      await read(0),
      [
        [2, 'legitimate'],
        [0, 'fraud'],
      ],
      'not those of test keys',
    );
    now = NOON + 30;
    t.true(await label(2, 'fraud'));
    t.deepEqual(await read(NOON + 20), [
      [0, 'fraud'],
      [2, 'fraud'],
    ]);
    t.deepEqual(await read(NOON + 31), []);
  });

  contract('a policy is read back by its revision, with its first content', async (t, open) => {
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

  contract('expired rows are deleted, and no others', async (t, open) => {
    const { accounts, ledger, decisions, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const ages = Array.from({ length: 600 }, (_, i) => i);
    await Promise.all(
      ages.map((age) => {
        const answer = age < 3 ? answerOf(`k${age}`) : null;
        // Before noon, the database's clock is behind the test's: an old answer must be old by both.
        const processedAt = NOON - age * DAY_MS - (answer && age > 0 ? DAY_MS / 2 : 0);
        return ledger.commit(entryOf(account, { processedAt }, { answer }));
      }),
    );
    const before = await quotas.usage(account.id, NOON);
    t.is(await decisions.deleteBefore(NOON - 90 * DAY_MS), 509 + 2);
    t.is(await decisions.deleteBefore(NOON - 90 * DAY_MS), 0);
    const left = [];
    for await (const attempt of decisions.recent(0)) left.push(attempt);
    t.is(left.length, 91);
    t.truthy(await ledger.findAnswer(account.id, 'k0', NOON));
    t.true(before.used > 0);
    t.deepEqual(await quotas.usage(account.id, NOON), before, 'counts stay');
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
}
