import anyTest, { type TestFn } from 'ava';
import { startVerification } from './verification-server.ts';

const test = anyTest as TestFn;

/** The number of mails is bounded for any number of signups. */
export function testMailBudgets(attempts: number): void {
  test(`${attempts} attempts on one mailbox, dots and tags varied, from as many addresses send five mails`, async (t) => {
    const server = await startVerification(t);
    const results = [];
    for (let i = 0; i < attempts; i++) {
      const dotted = [...'victim'].map((c, at) => (i & (1 << at) && at < 5 ? `${c}.` : c)).join('');
      results.push(
        await server.hold(`${dotted}+${i}@gmail.com`, { ip: `198.${51 + (i >> 8)}.${i & 255}.9` }),
      );
    }
    t.is(results.filter(({ kind }) => kind === 'held').length, 5);
    const refused = results.filter((result) => result.kind === 'too-many-mails');
    t.is(refused.length, attempts - 5);
    for (const result of refused) t.is(result.kind === 'too-many-mails' && result.retryAfterSeconds, 3_600);
    // A server of mails that answers late gets a mail twice.
    const mailboxes = new Set((await server.mailbox.received(5)).map(({ to }) => String(to)));
    t.true(mailboxes.size <= 5);
    for (const { raw } of server.mailbox.mails) t.notRegex(raw.replace(/^To: .*$/m, ''), /victim/);
  });

  test(`${attempts} mailboxes from one address, or from one IPv6 site, send twenty mails`, async (t) => {
    for (const ip of [() => '203.0.113.7', (i: number) => `2001:db8:1:2:${i.toString(16)}::1`]) {
      const server = await startVerification(t);
      let held = 0;
      for (let i = 0; i < attempts; i++) {
        if ((await server.hold(`person${i}@example${i % 7}.com`, { ip: ip(i) })).kind === 'held') held++;
      }
      t.is(held, 20);
    }
  });
}
