import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { timeOfRequestId } from '../../../src/http/request-id.ts';
import { linkIn, PASSWORD, startAccountServer } from './account-server.ts';
import { textOf } from './cookie-browser.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

test('closed registration has no page and no link', async (t) => {
  const { browser } = await startAccountServer(t);
  t.is((await browser().get('/register')).status, 404);
  t.is((await browser().post('/register', { email: 'jane@gmail.com' })).status, 404);
  t.notRegex((await browser().get('/sign-in')).body, /register/i);
});

test('registering mails a link, whose form creates a member with a password and ignores other fields', async (t) => {
  const { browser, mailbox, records } = await startAccountServer(t, { registration: 'open' });
  t.regex((await browser().get('/sign-in')).body, /href="\/register"/);
  const visitor = browser();
  const answer = await visitor.post('/register', {
    ...{ email: 'Jane.Doe@Gmail.com', role: 'operator', plan: 'unlimited' },
  });
  t.is(answer.status, 200);
  const [mail] = await mailbox.received(1);
  t.deepEqual(mail?.to, ['jane.doe@gmail.com']);
  t.is(
    await records.users.findByEmail('jane.doe@gmail.com'),
    null,
    'nothing is made before the mailbox is shown',
  );
  const path = linkIn(mail);
  t.regex(textOf(await visitor.get(path)), /You sign in as jane\.doe@gmail\.com/);
  const posted = {
    password: PASSWORD,
    email: 'eve@example.com',
    role: 'operator',
    plan: 'unlimited',
    id: 'x',
  };
  t.is((await visitor.post(path, posted)).status, 303);
  t.like(await records.users.findByEmail('jane.doe@gmail.com'), { role: 'member', plan: 'hobby' });
  t.is(await records.users.findByEmail('eve@example.com'), null);
  t.is((await visitor.get('/account')).status, 200);
});

test('only the mailbox learns whether its email has an account', async (t) => {
  const { browser, person, mailbox } = await startAccountServer(t, { registration: 'open' });
  await person('jane@gmail.com');
  const answers = [];
  for (const path of ['/register', '/forgotten']) {
    for (const email of ['jane@gmail.com', 'john@gmail.com']) {
      const { status, body } = await browser().post(path, { email });
      answers.push(`${path} ${status} ${body}`);
    }
  }
  t.is(answers[0], answers[1]);
  t.is(answers[2], answers[3]);
  const mails = await mailbox.received(3);
  const subjects = mails.map(
    ({ to, text }) => `${to[0]} ${/account already exists|choose a password|choose it/.exec(text)}`,
  );
  t.deepEqual(subjects.sort(), [
    'jane@gmail.com account already exists',
    'jane@gmail.com choose it',
    'john@gmail.com choose a password',
  ]);
});

test('a disposable address is refused without a mail, and the operator finds the decision by its id', async (t) => {
  const { browser, mailbox, records } = await startAccountServer(t, { registration: 'open' });
  const refused = await browser().post('/register', { email: 'x9k2@mailinator.com' });
  t.is(refused.status, 403);
  const [, requestId = ''] = /<code>([0-9a-f-]{36})<\/code>/.exec(refused.body) ?? [];
  t.notRegex(textOf(refused), /disposable|score|risk/);
  const found = await records.decisionSearch.find(requestId, null);
  t.like(found, { riskLevel: 'high', action: 'block', route: 'dashboard registration', scope: 'dashboard' });
  t.is(timeOfRequestId(requestId), found?.processedAt ?? null);
  await browser().send({
    ...{ method: 'POST', path: '/register', body: 'email=jane%40gmail.com' },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': CHROME },
  });
  const mails = await mailbox.received(1);
  t.deepEqual(
    mails.map(({ to }) => to[0]),
    ['jane@gmail.com'],
  );
});

test('a mailbox gets at most five mails an hour, and each client address has its own budget', async (t) => {
  const { browser, person, mailbox, log } = await startAccountServer(t, {
    registration: 'open',
    mailsPerHour: 8,
  });
  await person('jane@gmail.com');
  const ask = (email: string) => browser().post('/forgotten', { email });
  for (let i = 0; i < 12; i++) t.is((await ask('jane@gmail.com')).status, 200);
  // Each mail is sent at a random moment: those of the other mailboxes must not come first.
  await mailbox.received(5);
  for (let i = 0; i < 5; i++)
    t.is((await browser().post('/register', { email: `user${i}@gmail.com` })).status, 200);
  const mails = await mailbox.received(8);
  // Mails are sent, and refused, after the answer.
  while (!log.some((line) => line.includes('hourly budget'))) await sleep(10);
  t.is(mails.filter(({ to }) => to[0] === 'jane@gmail.com').length, 5);
  t.is(mailbox.mails.length, 8);
});

test('registrations by other clients do not block the mail for a new password', async (t) => {
  const { browser, person, mailbox } = await startAccountServer(t, { registration: 'open', mailsPerHour: 8 });
  await person('jane@gmail.com');
  for (let i = 0; i < 6; i++) await browser().post('/register', { email: 'jane@gmail.com' });
  await mailbox.received(5);
  for (let i = 0; i < 6; i++) await browser().post('/register', { email: `user${i}@gmail.com` });
  await mailbox.received(8);
  await browser().post('/forgotten', { email: 'jane@gmail.com' });
  const mails = await mailbox.received(9);
  t.is(mails.at(-1)?.to[0], 'jane@gmail.com');
  t.is((await browser().get(linkIn(mails.at(-1)))).status, 200);
});

test('a mail never has text from the form', async (t) => {
  const { browser, mailbox } = await startAccountServer(t, { registration: 'open' });
  const email = 'buy.pills.at.evil@gmail.com';
  const answer = await browser().post('/register', { email, name: 'buy pills' });
  t.is(answer.status, 200);
  const [mail] = await mailbox.received(1);
  t.false(/pills|evil/.test(`${mail?.subject}${mail?.text}${mail?.html}`));
});

test('every invalid email gets an error message', async (t) => {
  const { browser } = await startAccountServer(t, { registration: 'open' });
  for (const email of ['', 'jane', '<script>alert(1)</script>', 'a@b', `${'a'.repeat(300)}@gmail.com`]) {
    for (const path of ['/register', '/forgotten']) {
      const { status, body } = await browser().post(path, { email });
      t.is(status, 400);
      t.false(body.includes('<script>alert'));
    }
  }
});
