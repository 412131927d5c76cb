import { until } from '../helpers/until.ts';
import { count, openDemo, testWithBrowser } from './demo-page.ts';

testWithBrowser('every button says what really happened, and its links lead there', async (t) => {
  const { context, page, link, press } = await openDemo(t);
  const expected = {
    customer: /^Let in/,
    typo: /^Held until the mailbox is confirmed/,
    datacenter: /^5 of 5 stopped/,
    burners: /^30 of 30 stopped: 30 refused/,
    campaign: /^\d+ of 30 stopped: \d+ must confirm a mailbox/,
  };
  t.is(await page.locator('[data-sender]').count(), Object.keys(expected).length);
  for (const [kind, pattern] of Object.entries(expected)) {
    const { said, made, text, links } = await press(kind);
    t.regex(text, pattern, kind);
    t.is(made.length, Number(said.sent), kind);
    t.is(count(made, 'forward'), Number(said.letIn), kind);
    t.is(count(made, 'verify'), Number(said.toVerify), kind);
    t.is(count(made, 'block'), Number(said.refused), kind);
    t.true(links.length > 0, kind);
    for (const href of links) {
      const answer = await context.request.get(new URL(href, link).href);
      t.is(answer.status(), 200, href);
      t.is(new URL(answer.url()).pathname, new URL(href, link).pathname, 'no detour to the sign-in page');
    }
    const newest = page.locator('[data-rows] li').first();
    await until(async () =>
      made.map(({ request_id }) => request_id).includes((await newest.getAttribute('data-id')) ?? ''),
    );
  }
});

testWithBrowser(
  'a visitor of the shop is let in, another refused, a third confirms with the mail in the mailbox',
  async (t) => {
    const { page, context, link, stored } = await openDemo(t);
    const answer = page.locator('[data-answer]');
    await page.locator('[data-try="ada@mailinator.com"]').click();
    await answer.getByText('We could not complete your sign-up').waitFor();
    await page.locator('[data-try="ada.lovelace@gmail.com"]').click();
    await answer.getByText('Your account is ready').waitFor();

    await page.getByLabel('Name').fill('<b>Jane</b>');
    await page.getByLabel('Email').fill('jane.doe@gmial.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    const mailbox = await context.newPage();
    await answer.getByRole('link', { name: 'Open the mailbox' }).waitFor();
    await mailbox.goto(new URL('/mailbox', link).href);
    const [code = ''] = /\d{6}/.exec((await mailbox.textContent('article')) ?? '') ?? [];
    await answer.getByRole('link', { name: 'Enter the code' }).click();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Welcome, <b>Jane</b>').waitFor();

    await page.goto(link);
    await page.getByText('<b>Jane</b> (mailbox confirmed), Ada Lovelace').waitFor();
    const actions = Object.fromEntries(
      (await stored()).slice(0, 3).map(({ email, action }) => [email, action]),
    );
    t.deepEqual(actions, {
      'ada@mailinator.com': 'block',
      'ada.lovelace@gmail.com': 'forward',
      'jane.doe@gmial.com': 'verify',
    });
  },
);
