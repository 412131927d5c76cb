import test, { type ExecutionContext } from 'ava';
import {
  type AccountAdministration,
  createAccountAdministration,
} from '../../src/accounts/account-administration.ts';
import { COMMAND_LINE } from '../../src/accounts/account-audit.ts';
import { AccountError, type AccountErrorCode } from '../../src/accounts/account-error.ts';
import { tokenSha256 } from '../../src/web/tokens.ts';
import { openAccountRecords, PUBLIC_URL } from './open-account-records.ts';

async function openAdministration(t: ExecutionContext, publicUrl: () => string = () => PUBLIC_URL) {
  const opened = await openAccountRecords(t);
  const administration = createAccountAdministration({
    records: opened.records,
    plans: () => ['unlimited', 'hobby', 'pro'],
    publicUrl,
    clock: () => opened.clock.now,
  });
  const refuses = async (work: Promise<unknown>, code: AccountErrorCode, message: RegExp) => {
    const error = await t.throwsAsync(work, { instanceOf: AccountError, message });
    t.is(error?.code, code);
  };
  return { ...opened, administration, refuses };
}

const invite = ({ invite }: AccountAdministration, changes: Partial<Parameters<typeof invite>[0]> = {}) =>
  invite({ email: 'Jane@Shop.example', role: 'member', plan: 'pro', ...changes }, COMMAND_LINE);

test('an invitation creates an account and a link that works for seven days', async (t) => {
  const { administration, records, acts } = await openAdministration(t);
  const { url, email, lasts, account } = await invite(administration);
  t.like(account, { email: 'jane@shop.example', role: 'member', plan: 'pro', passwordChangedAt: null });
  t.is(email, 'jane@shop.example');
  t.is(lasts, '7 days');
  const token = url.slice(`${PUBLIC_URL}/links/`.length);
  t.like(await records.accountTokens.find(tokenSha256(token)), { kind: 'set-up', accountId: account.id });
  t.like((await acts())[0], {
    act: 'account.invited',
    actorName: 'command line',
    detail: { role: 'member', plan: 'pro' },
  });
});

test('an invitation is refused for an unknown email, role or plan, and for an email with an account', async (t) => {
  const { administration, user, refuses, acts } = await openAdministration(t);
  await user('taken@shop.example');
  await refuses(invite(administration, { email: 'jane' }), 'invalid', /not an email address/);
  await refuses(
    invite(administration, { role: 'admin' }),
    'invalid',
    /role "admin" does not exist.*operator, support, member/,
  );
  await refuses(
    invite(administration, { plan: 'gold' }),
    'invalid',
    /plan "gold" does not exist.*hobby, pro, unlimited/,
  );
  await refuses(
    invite(administration, { email: 'TAKEN@shop.example' }),
    'conflict',
    /An account with the email/,
  );
  t.deepEqual(await acts(), []);
});

test('an invitation without a possible link stores nothing', async (t) => {
  const { administration, records, user, refuses, acts } = await openAdministration(t, () => {
    throw new AccountError('conflict', 'The address is unknown.');
  });
  const jane = await user('jane@shop.example');
  await refuses(invite(administration, { email: 'john@shop.example' }), 'conflict', /address/);
  await refuses(administration.inviteAgain(jane, COMMAND_LINE), 'conflict', /address/);
  await refuses(administration.createResetLink(jane, COMMAND_LINE), 'conflict', /address/);
  t.is(await records.users.findByEmail('john@shop.example'), null);
  t.deepEqual(await acts(), []);
});

test('a role and a plan are set once, and setting them again writes nothing', async (t) => {
  const { administration, records, user, acts } = await openAdministration(t);
  const jane = await user('jane@shop.example');
  await administration.setRole(jane, 'operator', COMMAND_LINE);
  await administration.setPlan(jane, 'pro', COMMAND_LINE);
  const changed = (await records.accounts.find(jane.id)) ?? jane;
  t.like(changed, { role: 'operator', plan: 'pro' });
  await administration.setRole(changed, 'operator', COMMAND_LINE);
  await administration.setPlan(changed, 'pro', COMMAND_LINE);
  t.deepEqual(
    (await acts()).map(({ act, detail }) => ({ act, detail })),
    [
      { act: 'account.plan_set', detail: { plan: 'pro', before: 'hobby' } },
      { act: 'account.role_set', detail: { role: 'operator' } },
    ],
  );
});

test('the last operator is neither demoted nor closed, and no operator closes their own account', async (t) => {
  const { administration, records, user, refuses } = await openAdministration(t);
  const operator = await user('op@shop.example', { role: 'operator', hash: 'hash' });
  const self = { accountId: operator.id, name: operator.name };
  await refuses(administration.setRole(operator, 'member', self), 'conflict', /operator/);
  await refuses(administration.close(operator, COMMAND_LINE), 'conflict', /operator/);
  await refuses(administration.close(operator, self), 'conflict', /your own account/);
  t.like(await records.accounts.find(operator.id), { role: 'operator', email: 'op@shop.example' });
});

test('an account without a user has no role, invitation or link', async (t) => {
  const { administration, records, refuses, acts } = await openAdministration(t);
  const ci = await records.accounts.create({ name: 'ci', plan: 'hobby' });
  await refuses(administration.inviteAgain(ci, COMMAND_LINE), 'conflict', /only API keys/);
  await refuses(administration.createResetLink(ci, COMMAND_LINE), 'conflict', /only API keys/);
  await refuses(administration.setRole(ci, 'operator', COMMAND_LINE), 'conflict', /ci/);
  t.deepEqual(await acts(), []);
});

test('a reset link works for an hour', async (t) => {
  const { administration, records, user, acts } = await openAdministration(t);
  const jane = await user('jane@shop.example', { hash: 'hash' });
  const { url, lasts } = await administration.createResetLink(jane, COMMAND_LINE);
  const id = tokenSha256(url.split('/').at(-1) ?? '');
  t.like(await records.accountTokens.find(id), { kind: 'password-reset', email: 'jane@shop.example' });
  t.is(lasts, 'an hour');
  t.is((await acts())[0]?.act, 'account.reset_link_made');
});

test('signing out ends all sessions but one; closing ends the account', async (t) => {
  const { administration, records, user, acts } = await openAdministration(t);
  const jane = await user('jane@shop.example');
  for (const id of ['one', 'two', 'three']) {
    await records.sessions.create({ id, accountId: jane.id, browser: '', network: '' }, null);
  }
  t.is(await administration.signOut(jane, COMMAND_LINE, 'two'), 2);
  t.truthy(await records.sessions.find('two'));
  t.is(await administration.signOut(jane, COMMAND_LINE, 'two'), 0);
  await administration.close(jane, COMMAND_LINE);
  t.is(await records.users.findByEmail('jane@shop.example'), null);
  t.is(await records.sessions.find('two'), null);
  t.deepEqual(
    (await acts()).map(({ act }) => act),
    ['account.closed', 'session.revoked'],
  );
});
