import test from 'ava';
import { linkIn, PASSWORD, startAccountServer } from './account-server.ts';
import { textOf } from './cookie-browser.ts';

const EMAIL = 'jane@example.com';
const INVITATION = { email: EMAIL, role: 'support', plan: 'hobby' };

test('with a mail server the user gets the link, and the page lists who invited whom', async (t) => {
  const server = await startAccountServer(t);
  const operator = await server.person('op@example.com', 'operator');
  t.regex(textOf(await operator.browser.get('/accounts')), /The user gets a mail with a link/);
  const answer = await operator.browser.post('/accounts', INVITATION);
  t.like(answer, { status: 303, location: '/accounts?done=invited' });
  const [mail] = await server.mailbox.received(1);
  t.deepEqual(mail?.to, [EMAIL]);
  t.regex(mail?.text ?? '', /You are invited to the Gatekeeper dashboard/);
  const page = await operator.browser.get('/accounts?done=invited');
  t.regex(textOf(page), /on its way.*Open invitations.*jane @example\.com support op@example\.com/);
  t.false(page.body.includes(linkIn(mail)), 'the link is in the mail alone');

  const visitor = server.browser();
  t.is((await visitor.post(linkIn(mail), { password: PASSWORD })).status, 303);
  t.notRegex(textOf(await operator.browser.get('/accounts')), /Open invitations/);
});

test('an invitation is sent again, and withdrawn: then no link works', async (t) => {
  const server = await startAccountServer(t);
  const operator = await server.person('op@example.com', 'operator');
  const member = await server.person('member@example.com');
  await operator.browser.get('/accounts');
  await operator.browser.post('/accounts', INVITATION);
  const { id = '' } = (await server.records.users.findByEmail(EMAIL)) ?? {};
  await member.browser.get('/account');
  for (const act of ['invitation', 'withdraw']) {
    t.is((await member.browser.post(`/accounts/${id}/${act}`)).status, 404, 'a member');
    t.is((await operator.browser.post(`/accounts/${member.accountId}/${act}`)).status, 409, 'has a password');
  }
  await operator.browser.get('/accounts');
  t.is((await operator.browser.post(`/accounts/${id}/invitation`)).status, 303);
  const links = (await server.mailbox.received(2)).map(linkIn);
  t.is(new Set(links).size, 2);
  const done = await operator.browser.post(`/accounts/${id}/withdraw`);
  t.like(done, { status: 303, location: '/accounts?done=withdrawn' });
  for (const link of links) t.is((await server.browser().get(link)).status, 410);
  t.is(await server.records.users.findByEmail(EMAIL), null);
  const [entry] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(entry, { act: 'account.invitation_withdrawn', actorName: 'op@example.com', subject: EMAIL });
});

test('when the budget of mails is used up, the operator gets the link', async (t) => {
  const server = await startAccountServer(t, { mailsPerHour: 1 });
  const operator = await server.person('op@example.com', 'operator');
  await operator.browser.get('/accounts');
  await operator.browser.post('/accounts', INVITATION);
  const second = await operator.browser.post('/accounts', { ...INVITATION, email: 'john@example.com' });
  t.is(second.status, 200);
  t.regex(second.body, /<pre id="link">[^<]*\/links\/[\w-]{43}<\/pre>/);
});
