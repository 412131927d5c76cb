import test from 'ava';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { PASSWORD, startAccountServer } from './account-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

testWithBrowser('open invitations are readable, and one is withdrawn by keyboard', async (t) => {
  const server = await startAccountServer(t);
  const { accountId } = await server.person('op@example.com', 'operator');
  await server.records.users.invite(
    { email: 'a.very.long.name.of.a.person@department.example.com', role: 'member', plan: 'hobby' },
    accountId,
  );
  const browser = await openBrowser(t);
  const context = await browser.newContext({ bypassCSP: true }); // for axe alone
  const page = await context.newPage();
  const { url } = server;
  await page.goto(`${url}/sign-in?next=/accounts`);
  await page.fill('#email', 'op@example.com');
  await page.fill('#password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#invitations-heading');
  await lookAt(t, page, 'open-invitations');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.focus('button:has-text("Withdraw")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.notice.done:has-text("withdrawn")');
  t.is(await page.locator('#invitations-heading').count(), 0);
});
