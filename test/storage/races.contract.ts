import { createFirstKey } from '../../src/accounts/first-key.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { NOON } from './decisions/decision-fixture.ts';
import type { PrepareStorage } from './prepare-storage.ts';
import { AT_ONCE, between, PATIENCE_MS, type Race, racesOf, test } from './race.ts';

const HOUR_MS = 3_600_000;
const AUDIT_ENTRY = {
  ...{ at: NOON, actorId: null, actorName: 'test', detail: {} },
  act: 'list.entry_added',
} as const;
const MAX_DATABASES = 10;

/** What is checked and then written about accounts, keys and lists, by two nodes at once. */
export function testRaces(engine: string, prepare: PrepareStorage, rounds: number): void {
  const race = racesOf(engine, prepare, rounds);
  /** What happens once in the life of a database: each round has a database of its own. */
  const first = (title: string, run: (race: Race) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => {
      t.timeout(PATIENCE_MS);
      for (let round = 0; round < Math.min(rounds, MAX_DATABASES); round++) {
        await run(await between(t, prepare));
      }
    });

  race('an account has one key of a name, and a key one successor', async ({ t, records, atOnce }, round) => {
    const { id: accountId } = await records.accounts.create({ name: round, plan: 'hobby' });
    const keyOf = (name: string, i: number) => ({
      ...{ accountId, name, sha256: `${round} ${name} ${i}`, lastFour: 'wxyz', test: false, expiresAt: null },
    });
    const made = await atOnce(({ apiKeys }, i) => apiKeys.create(keyOf('shop', i)));
    t.is(made.filter(({ value }) => value).length, 1);
    const [old] = await records.apiKeys.listOf(accountId);
    const rotated = await atOnce(({ apiKeys }, i) => {
      const hashes = { sha256: `${round} rotated ${i}`, lastFour: 'abcd' };
      return apiKeys.rotate({ accountId, id: old?.id ?? '', overlapMs: 0, ...hashes });
    });
    t.is(rotated.filter(({ value }) => value).length, 1);
    t.is((await records.apiKeys.countUsable([accountId], NOON)).get(accountId), 1);
    const closed = await atOnce(async ({ apiKeys, users }, i) => {
      if (i === AT_ONCE / 2) await users.close(accountId);
      else await apiKeys.create(keyOf(`name ${i}`, i));
    });
    t.true(closed.every(({ refused }) => refused === undefined));
  });

  race('one operator is left', async ({ t, records, atOnce }, round) => {
    const operators = await Promise.all(
      ['a', 'b', 'c'].map((name) => operatorOf(records, `${round.replace(' ', '')}${name}@example.com`)),
    );
    const before = (await records.users.list({ after: null, limit: 1_000 })).filter(isOperator);
    const outcomes = await atOnce(async ({ users }, i) => {
      const { id } = before[i % before.length] ?? { id: '' };
      return i % 4 === 0 ? await users.close(id) : (await users.setRole(id, 'member')) !== null;
    });
    t.true(outcomes.some(({ refused }) => refused?.startsWith('At least one operator is required')));
    const left = (await records.users.list({ after: null, limit: 1_000 })).filter(isOperator);
    t.is(left.length, 1, `of ${operators.length}`);
  });

  first('one link for the first operator is left, and makes one', async ({ t, atOnce }) => {
    await atOnce(({ accountTokens }, i) =>
      accountTokens.create({
        ...{ id: `link ${i}`, kind: 'set-up', accountId: null, email: null, lifetimeMs: HOUR_MS },
      }),
    );
    const valid = await atOnce(({ accountTokens }, i) => accountTokens.find(`link ${i}`));
    const [id = '', ...others] = valid.flatMap(({ value }) => value?.id ?? []);
    t.deepEqual(others, []);
    const made = await atOnce(({ accountTokens }, i) =>
      accountTokens.makeFirstOperator({ id, email: `u${i}@example.com`, password: 'hash', plan: 'hobby' }),
    );
    t.is(made.filter(({ value }) => value?.done).length, 1);
  });

  first(
    'one node makes the link for the first operator, and the others learn how long it is valid',
    async ({ t, records, atOnce }) => {
      const token = { kind: 'set-up', accountId: null, email: null, lifetimeMs: HOUR_MS } as const;
      const made = await atOnce(({ accountTokens }, i) =>
        accountTokens.createFirstSetUp({ ...token, id: `link ${i}` }),
      );
      const links = made.flatMap(({ value }, i) => (value?.created ? [`link ${i}`] : []));
      t.is(links.length, 1);
      const link = await records.accountTokens.find(links[0] ?? '');
      t.not(link, null, 'no later start voided it');
      for (const { value } of made) {
        if (value?.created === false) t.is(value.validUntil, link?.expiresAt ?? 0);
      }
      const use = { id: links[0] ?? '', email: 'ann@example.com', password: 'hash', plan: 'hobby' };
      t.true((await records.accountTokens.makeFirstOperator(use)).done);
      t.deepEqual(await records.accountTokens.createFirstSetUp({ ...token, id: 'late' }), {
        created: false,
        validUntil: null,
      });
    },
  );

  first('one first key is made', async ({ t, records, atOnce }) => {
    const made = await atOnce((node) => createFirstKey(node));
    t.is(made.filter(({ value }) => typeof value === 'string').length, 1);
    t.is((await records.apiKeys.list()).length, 1);
  });

  race('accounts have different names and emails', async ({ t, records, atOnce }, round) => {
    const emailOf = (i: number) => `${round.replace(' ', '')}-${Math.floor(i / 4)}@example.com`;
    // Of each email two invitations, and two accounts of that name.
    const outcomes = await atOnce(async ({ users, accounts }, i) => {
      const email = emailOf(i);
      if (i % 4 < 2) return (await users.invite({ email, role: 'member', plan: 'hobby' })).id;
      return (await accounts.create({ name: email, plan: 'hobby' })).id;
    });
    const invited = outcomes.filter(({ value }, i) => i % 4 < 2 && value !== undefined);
    t.is(invited.length, new Set(outcomes.map((_, i) => emailOf(i))).size);
    t.is((await records.users.findByEmail(emailOf(0)))?.email, emailOf(0));
  });

  race('a follower of the lists misses no change', async ({ t, records, atOnce }, round) => {
    const from = (await records.listEntries.state()).revision;
    const seen: number[] = [];
    let isDone = false;
    const follow = async () => {
      for (let last = from; ; ) {
        const wasDone = isDone;
        const { revision } = await records.listEntries.state();
        for await (const changes of records.listEntries.changes({ after: last, upTo: revision })) {
          seen.push(...changes.map(({ id }) => id));
        }
        last = revision;
        if (wasDone) return;
      }
    };
    const following = follow();
    const put = await atOnce(({ listEntries }, i) =>
      listEntries.put(
        [
          {
            ...{ list: 'deny', kind: 'domain', value: `${round.replace(' ', '')}-${i}.example` },
            ...{ typed: null, note: null, expiresAt: null },
          },
        ],
        { ...AUDIT_ENTRY, subject: round },
      ),
    );
    isDone = true;
    await following;
    const revisions = put.map(({ value }) => value?.revision ?? 0).sort((one, other) => one - other);
    t.deepEqual(
      revisions,
      Array.from({ length: AT_ONCE }, (_, i) => from + 1 + i),
    );
    t.is(new Set(seen).size, AT_ONCE);
    const [entry] = put[0]?.value?.entries ?? [];
    const removed = await atOnce(({ listEntries }) =>
      listEntries.remove(entry?.id ?? 0, () => ({ ...AUDIT_ENTRY, subject: round })),
    );
    t.is(removed.filter(({ value }) => value).length, 1);
  });
}

async function operatorOf(records: Storage, email: string): Promise<string> {
  const { id } = await records.users.invite({ email, role: 'operator', plan: 'hobby' });
  const token = {
    id: `set-up of ${email}`,
    kind: 'set-up',
    accountId: id,
    email,
    lifetimeMs: HOUR_MS,
  } as const;
  await records.accountTokens.create(token);
  await records.accountTokens.choosePassword({ id: token.id, password: 'hash' });
  return id;
}

function isOperator({
  role,
  passwordChangedAt,
}: {
  readonly role: string;
  readonly passwordChangedAt: number | null;
}) {
  return role === 'operator' && passwordChangedAt !== null;
}
