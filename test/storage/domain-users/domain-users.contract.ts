import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Storage } from '../../../src/storage/storage.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;
const ACCOUNT = 'shop';

interface Person {
  readonly name: string;
  readonly network: string;
  readonly domain?: string;
  readonly isTest?: boolean;
  readonly label?: 'legitimate' | 'fraud';
}

/** The contract of every engine for the domains that many people use. */
export function testDomainUsers(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  /** Signs up, and is labelled. */
  async function signUp(records: Storage, person: Person): Promise<string> {
    const { name, network, domain = 'own.example', isTest = false, label = 'legitimate' } = person;
    const identity = { ...decisionWith().identity, mailbox: name, domain, network };
    const decision = decisionWith({ identity, accountId: ACCOUNT, test: isTest });
    await records.decisions.record(decision);
    await records.decisions.label(decision.requestId, ACCOUNT, label);
    return decision.requestId;
  }

  /** So many people, two a day, each from another network. */
  async function crowd(open: OpenAgain, count: number, change: Partial<Person> = {}): Promise<Storage> {
    let day = 0;
    const records = await open(() => NOON + day * DAY_MS);
    for (let i = 0; i < count; i++) {
      day = Math.floor(i / 2) * 2;
      await signUp(records, { name: `person ${i}`, network: `198.51.${i}.0/24`, ...change });
    }
    return records;
  }

  contract('ten people of five networks and a week make a domain one that many use', async (t, open) => {
    const records = await crowd(open, 9);
    t.deepEqual(await records.domainUsers.usedDomains(), []);
    const later = await open(() => NOON + 30 * DAY_MS);
    await signUp(later, { name: 'person 10', network: '203.0.113.0/24' });
    t.deepEqual(await later.domainUsers.usedDomains(), ['own.example']);
  });

  contract('the same person, one network and test keys count as nothing', async (t, open) => {
    await crowd(open, 20, { name: 'one person', domain: 'one-person.example' });
    await crowd(open, 20, { network: '203.0.113.0/24', domain: 'one-network.example' });
    const records = await crowd(open, 20, { isTest: true, domain: 'test.example' });
    t.deepEqual(await records.domainUsers.usedDomains(), []);
  });

  contract('a campaign of one day makes no domain trusted, however large', async (t, open) => {
    const records = await open(() => NOON);
    for (let i = 0; i < 30; i++) await signUp(records, { name: `bot ${i}`, network: `198.51.${i}.0/24` });
    t.deepEqual(await records.domainUsers.usedDomains(), []);
    const later = await open(() => NOON + 10 * DAY_MS);
    await signUp(later, { name: 'a late bot', network: '203.0.113.0/24' });
    t.deepEqual(await later.domainUsers.usedDomains(), [], 'five of the day and one are too few');
  });

  contract(
    'a label of fraud takes the domain back, and removing a label changes nothing',
    async (t, open) => {
      const records = await crowd(open, 12);
      const { length } = await records.domainUsers.usedDomains();
      t.is(length, 1);
      const id = await signUp(records, { name: 'a bot', network: '203.0.113.0/24', domain: 'other.example' });
      await records.decisionSearch.label(id, null, null);
      t.is((await records.domainUsers.usedDomains()).length, 1);
      await signUp(records, { name: 'a bot', network: '203.0.113.0/24', label: 'fraud' });
      t.deepEqual(await records.domainUsers.usedDomains(), []);
    },
  );

  contract('a verified signup counts like a labelled one', async (t, open) => {
    let day = 0;
    const records = await open(() => NOON + day * DAY_MS);
    for (let i = 0; i < 12; i++) {
      day = i;
      const now = NOON + day * DAY_MS;
      const requestId = `held-${i}`;
      const identity = { ...decisionWith().identity, mailbox: `m${i}`, network: `198.51.${i}.0/24` };
      await records.decisions.record(decisionWith({ requestId, identity, processedAt: NOON }));
      await records.heldSignups.hold(
        {
          ...{ requestId, pageTokenSha256: `page ${i}`, linkTokenSha256: `link ${i}` },
          ...{ mailbox: `m${i}`, budgetKeys: { mailbox: `m${i}`, origin: `o${i}` }, domain: 'example.com' },
          ...{ createdAt: now, expiresAt: now + 60_000, codeHash: 'right', codeExpiresAt: now + 60_000 },
          ...{ network: '203.0.113.0/24', passNetwork: '', userAgent: '', keyId: 'k', size: 1 },
          ...{ sender: { browser: null, system: null, country: null }, seal: () => 'x' },
        },
        { maxHeld: 10_000, maxHeldBytes: 1_000_000, budgets: { mailbox: 5, origin: 20, site: 1_000 } },
      );
      const claim = { requestId, codeHash: 'right', now, maxTries: 5, passTokenSha256: null };
      t.is((await records.heldSignups.tryCode({ ...claim, codeHash: 'wrong' })).kind, 'wrong');
      t.is((await records.heldSignups.tryCode(claim)).kind, 'claimed');
    }
    t.deepEqual(await records.domainUsers.usedDomains(), ['example.com']);
  });

  contract('retention and an erasure remove what was noted', async (t, open) => {
    const records = await crowd(open, 12);
    t.is(await records.domainUsers.deleteBefore(NOON + 4 * DAY_MS), 4);
    t.deepEqual(await records.domainUsers.usedDomains(), []);
    const again = await crowd(open, 12, { domain: 'second.example' });
    t.deepEqual(await again.domainUsers.usedDomains(), ['second.example']);
    for (const person of ['person 0', 'person 1', 'person 2']) {
      await again.erase({
        ...{ mailboxHash: person, spellingHash: person, budgetHash: person },
        isAddress: () => false,
      });
    }
    t.deepEqual(await again.domainUsers.usedDomains(), []);
  });
}
