import test, { type ExecutionContext } from 'ava';
import { createSetUpLink } from '../../src/accounts/account-links.ts';
import { openCookieBrowser } from './accounts/cookie-browser.ts';
import { startDashboard } from './dashboard-server.ts';

const PASSWORD = 'correct horse battery';

/** A Gatekeeper without a mail server and with open registration. */
async function startWithoutMailServer(t: ExecutionContext) {
  const server = await startDashboard(t, {
    config: (config) => ({ ...config, dashboard: { ...config.dashboard, registration: 'open' } }),
  });
  const browser = () => openCookieBrowser(server.url);
  const mailbox = async () => (await browser().get('/mailbox')).body;
  return {
    ...{ ...server, browser, mailbox },
    /** Polls, since a mail is delayed by up to a second. */
    async mailboxWith(text: RegExp): Promise<string> {
      let page = '';
      for (let looks = 0; looks < 2_000 && !text.test(page); looks++) {
        page = await mailbox();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return page;
    },
    async becomeOperator(): Promise<void> {
      const link = await createSetUpLink(server.records, server.url);
      const { status } = await browser().post(new URL(link ?? '').pathname, {
        ...{ email: 'operator@example.com', password: PASSWORD },
      });
      t.is(status, 303);
    },
    /** Waits until the queue has logged this number of refused mails. */
    async refused(times: number): Promise<void> {
      const count = () => server.log.filter((line) => line.includes('an operator exists')).length;
      while (count() < times) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

test('until an operator exists, the mails of accounts are shown', async (t) => {
  const { browser, mailboxWith } = await startWithoutMailServer(t);
  await browser().post('/register', { email: 'jane@gmail.com' });
  t.regex(
    await mailboxWith(/links\//),
    /To jane@gmail\.com.*href="http:\/\/127\.0\.0\.1:\d+\/links\/[\w-]{43}"/s,
  );
});

test('after an operator exists, no mail of an account is shown, not even an earlier mail', async (t) => {
  const { browser, mailbox, mailboxWith, becomeOperator, refused } = await startWithoutMailServer(t);
  await browser().post('/register', { email: 'jane@gmail.com' });
  await mailboxWith(/links\//);
  await becomeOperator();
  t.regex(await mailbox(), /No mails yet/);
  t.is((await browser().post('/register', { email: 'joe@gmail.com' })).status, 200);
  await refused(1);
  t.regex(await mailbox(), /No mails yet/);
});

test('without a mail server, no page promises a mail: an operator makes the link for a new password', async (t) => {
  const { browser, signIn } = await startWithoutMailServer(t);
  const visitor = browser();
  const email = 'operator@example.com';
  for (const { status, body } of [
    await visitor.get('/forgotten'),
    await visitor.post('/forgotten', { email }),
  ]) {
    t.is(status, 200);
    t.regex(body, /sends no mails.*gatekeeper accounts reset-password/s);
    t.notRegex(body, /name="email"|on its way/);
  }
  const user = await signIn('member');
  t.regex((await user.get('/account')).body, /You cannot change your email/);
  const change = { email: 'new@example.com', 'email-password': PASSWORD };
  t.notRegex((await user.post('/account/email', change)).body, /on its way/);
});
