import test from 'ava';
import { groupOf, PEOPLE_GROUPS } from '../../../scripts/evaluate/people-groups.ts';
import { parseMailbox } from '../../../src/addresses/email-address.ts';

const START = Date.UTC(2026, 9, 1);

for (const group of PEOPLE_GROUPS) {
  test(`the simulated ${group.name} (${group.known}, ${group.isVerified}) comes within an hour, the same for the same seed`, (t) => {
    const { today, before } = groupOf(group, START, 1);
    t.is(today.length, group.count);
    t.is(before.length, group.known);
    t.true(today.every(({ at }) => at >= START && at < START + 3_600_000));
    t.true(before.every(({ at }) => at < START));
    const mailboxes = new Set([...today, ...before].map(({ email }) => email));
    t.true(mailboxes.size > 0.9 * (today.length + before.length));
    t.true([...mailboxes].every((mailbox) => parseMailbox(mailbox) !== null));
    t.deepEqual(groupOf(group, START, 1), { today, before });
    t.notDeepEqual(groupOf(group, START, 2), { today, before });
  });
}
