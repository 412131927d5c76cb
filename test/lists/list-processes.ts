import type { ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import type { ListRequest } from '../../src/lists/list-requests.ts';
import { type LiveLists, openLiveLists } from '../../src/lists/live-lists.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';

export const pseudonymize = createPseudonymizer('a secret of the tests');
export const jane = { id: 'account-1', name: 'jane' };
const locate = () => ({ asn: 64500, country: 'XK' });

export type ListProcess = Awaited<ReturnType<Awaited<ReturnType<typeof openProcesses>>['open']>>;

/** Like several processes: each with its own storage object on one file, and one clock. */
export async function openProcesses(
  t: ExecutionContext,
  configured: { allow: string[]; deny: string[] } = { allow: [], deny: [] },
) {
  const folder = temporaryFolder(t);
  let now = NOON;
  const open = async () => {
    const records = await openDatabase(`${folder}/gatekeeper.db`, () => now);
    const lists = await openLiveLists({
      records: records.listEntries,
      pseudonymize,
      config: () => ({ lists: configured }),
      clock: () => now,
      log: { warn: (facts) => t.log(facts) },
    });
    t.teardown(async () => {
      await lists.close();
      await records.close();
    });
    return { records, lists, verdicts: verdictsOf(lists, () => now) };
  };
  return {
    open,
    setTime: (time: number) => {
      now = time;
    },
  };
}

function verdictsOf({ rules }: LiveLists, now: () => number) {
  const matcher = compileLists({ allow: [], deny: [] }, locate, rules);
  return (email: string, ipText = '198.51.100.1') => {
    const mailbox = parseMailbox(email);
    const ip = parseIpAddress(ipText);
    if (!mailbox || !ip) throw new Error(`not an attempt: ${email} ${ipText}`);
    const requestId = '00000000-0000-4000-8000-000000000000';
    const facts = { requestId, receivedAt: now(), door: 'api', scope: 'account', route: null } as const;
    const attempt = createAttempt(
      { ...facts, email: { mailbox }, ip, userAgent: null, headers: null },
      pseudonymize,
    );
    return matcher.match(attempt).map(({ code }) => code);
  };
}

export const request = (text: string, changes: Partial<ListRequest> = {}): ListRequest => ({
  list: 'deny',
  subject: { text },
  note: null,
  expiresAt: null,
  ...changes,
});

/** Waits until other processes follow, which takes them about a second. */
export async function until<T>(read: () => T, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = read();
    if (isSo(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A hundred additions and removals at once end as the records say. */
export async function addAndRemoveAtOnce(
  t: ExecutionContext,
  one: ListProcess,
  other: ListProcess,
): Promise<void> {
  const added = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).lists.add([request(`d${i}.example`)], jane)),
  );
  await Promise.all(
    added.slice(0, 25).map(({ entries }, i) => (i % 3 ? one : other).lists.remove(entries[0]?.id ?? 0, jane)),
  );
  await until(
    () => [one, other].map(({ lists }) => lists.rules.deny.size),
    (sizes) => sizes.every((size) => size === 25),
  );
  t.is(one.lists.rules.revision, other.lists.rules.revision);
  t.is(await one.lists.count(), 25);
}
