import test, { type ExecutionContext } from 'ava';
import {
  type AccountsContext,
  closeAccount,
  type InviteOptions,
  invite,
  listAccounts,
  removeTwoFactor,
  resetPassword,
  setPlan,
  setRole,
  signOut,
} from '../../src/cli/manage-accounts.ts';
import { tokenSha256 } from '../../src/web/tokens.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const URL = 'https://gatekeeper.example';

async function openTerminal(t: ExecutionContext, changes: Partial<AccountsContext> = {}) {
  const records = await openDatabase(`${temporaryFolder(t)}/gatekeeper.db`, () => NOON);
  t.teardown(() => records.close());
  const written = { output: '', errors: '' };
  const context: AccountsContext = {
    records,
    plans: ['unlimited', 'hobby', 'pro'],
    publicUrl: URL,
    clock: () => NOON,
    write: (text) => {
      written.output += text;
    },
    deliver: async (text) => {
      written.output += text;
      return true;
    },
    writeError: (text) => {
      written.errors += text;
    },
    ...changes,
  };
  const take = () => {
    const taken = { ...written };
    Object.assign(written, { output: '', errors: '' });
    return taken;
  };
  const inviting = (email: string, options: Partial<InviteOptions> = {}) =>
    invite({ email, role: null, plan: null, ...options }, context);
  const acts = async () =>
    (await records.audit.page({ before: null, limit: 10 })).map(
      ({ act, actorName }) => `${act} ${actorName}`,
    );
  return { records, context, take, inviting, acts };
}

test('an invitation prints only a link, and its user is listed as invited', async (t) => {
  const { records, context, take, inviting, acts } = await openTerminal(t);
  t.is(await inviting('Jane.Doe@Example.COM', { role: 'operator', plan: 'pro' }), 0);
  const { output, errors } = take();
  const [, token = ''] = /^https:\/\/gatekeeper\.example\/links\/([\w-]{43})\n$/.exec(output) ?? [];
  t.like(await records.accountTokens.find(tokenSha256(token)), {
    kind: 'set-up',
    email: 'jane.doe@example.com',
  });
  t.regex(errors, /works once, for 7 days/);
  await listAccounts({ json: true }, context);
  t.deepEqual(JSON.parse(take().output), [
    {
      ...{
        email: 'jane.doe@example.com',
        role: 'operator',
        plan: 'pro',
        state: 'invited',
        two_factor: false,
      },
      ...{ created_at: '2026-11-21T12:00:00.000Z', last_signed_in_at: null },
    },
  ]);
  await listAccounts({ json: false }, context);
  t.regex(take().output, /^EMAIL +ROLE .*\njane\.doe@example\.com {2}operator {2}pro +invited .* never\n$/);
  t.deepEqual(await acts(), ['account.invited command line']);
});

test('a lost invitation is created again; an invitation for an active account is refused', async (t) => {
  const { records, take, inviting } = await openTerminal(t);
  await inviting('jane@example.com');
  const first = take().output;
  t.is(await inviting('jane@example.com'), 0);
  const { output } = take();
  t.not(output, first);
  const id = tokenSha256(output.trim().split('/').at(-1) ?? '');
  await records.accountTokens.choosePassword({ id, password: 'hash' });
  t.is(await inviting('jane@example.com'), 1);
  t.regex(take().errors, /already has an account/);
});

test('a mistyped value is reported, and no account is created', async (t) => {
  const { records, context, take, inviting } = await openTerminal(t);
  const mistakes: readonly (readonly [() => Promise<number>, RegExp])[] = [
    [() => inviting('jane'), /not an email address/],
    [
      () => inviting('jane@example.com', { role: 'admin' }),
      /role "admin" does not exist.*operator, support, member/,
    ],
    [
      () => inviting('jane@example.com', { plan: 'gold' }),
      /plan "gold" does not exist.*hobby, pro, unlimited/,
    ],
    [() => setRole('jane@example.com', 'operator', context), /jane@example\.com has no account/],
    [() => setPlan('nonsense', 'pro', context), /not an email address/],
    [() => closeAccount('jane@example.com', context), /has no account/],
  ];
  for (const [command, message] of mistakes) {
    t.is(await command(), 1);
    t.regex(take().errors, message);
  }
  t.deepEqual(await records.users.list({ after: null, limit: 10 }), []);
  t.is(await listAccounts({ json: false }, context), 0);
  t.regex(take().errors, /No accounts yet\. gatekeeper serve prints a link/);
});

test('role, plan and sessions are changed, each change with an audit entry', async (t) => {
  const { records, context, take, inviting, acts } = await openTerminal(t);
  await inviting('jane@example.com');
  const { id = '' } = (await records.users.findByEmail('jane@example.com')) ?? {};
  await records.sessions.create({ id: 'one', accountId: id, browser: '', network: '' }, null);
  take();
  t.is(await setRole('JANE@example.com', 'operator', context), 0);
  t.is(await setPlan('jane@example.com', 'pro', context), 0);
  t.is(await signOut('jane@example.com', context), 0);
  t.regex(take().output, /the role operator now\..*plan pro\..*1 session of/s);
  t.like(await records.accounts.find(id), { role: 'operator', plan: 'pro' });
  t.is(await records.sessions.find('one'), null);
  t.is(await closeAccount('jane@example.com', context), 0);
  t.is(await records.users.findByEmail('jane@example.com'), null);
  t.deepEqual(
    (await acts()).map((act) => act.split(' ')[0]),
    ['account.closed', 'session.revoked', 'account.plan_set', 'account.role_set', 'account.invited'],
  );
});

test('the last operator is neither demoted nor closed', async (t) => {
  const { records, context, take, inviting } = await openTerminal(t);
  await inviting('op@example.com', { role: 'operator' });
  const id = tokenSha256(take().output.trim().split('/').at(-1) ?? '');
  await records.accountTokens.choosePassword({ id, password: 'hash' });
  t.is(await setRole('op@example.com', 'member', context), 1);
  t.is(await closeAccount('op@example.com', context), 1);
  t.regex(take().errors, /^(At least one operator is required.*\n){2}$/);
});

test('the second factor of the only operator is removed, with an audit entry', async (t) => {
  const { records, context, take, inviting, acts } = await openTerminal(t);
  await inviting('op@example.com', { role: 'operator' });
  const id = tokenSha256(take().output.trim().split('/').at(-1) ?? '');
  const chosen = await records.accountTokens.choosePassword({ id, password: 'hash' });
  const accountId = chosen.done ? chosen.account.id : '';
  t.is(await removeTwoFactor('op@example.com', context), 1);
  t.regex(take().errors, /has no second factor/);
  const setUp = { accountId, sessionId: 'one', sealedSecret: 'sealed' };
  await records.twoFactor.beginSetUp({ ...setUp, lifetimeMs: 60_000 });
  await records.twoFactor.turnOn({ ...setUp, step: 1, recoveryCodes: ['one'] });
  await listAccounts({ json: true }, context);
  t.like(JSON.parse(take().output)[0], { email: 'op@example.com', two_factor: true });
  await records.sessions.create({ id: 'one', accountId, browser: '', network: '' }, NOON, NOON);
  t.is(await removeTwoFactor('op@example.com', context), 0);
  t.regex(take().output, /Removed the second factor of op@example\.com/);
  t.is((await records.accounts.find(accountId))?.twoFactorSince, null);
  t.is(await records.sessions.find('one'), null);
  t.is((await acts())[0], 'two_factor.removed command line');
});

test('a reset link works once for its account; an unknown email gets no link', async (t) => {
  const { records, context, take, inviting } = await openTerminal(t);
  await inviting('jane@example.com');
  take();
  t.is(await resetPassword('jane@example.com', context), 0);
  const id = tokenSha256(take().output.trim().split('/').at(-1) ?? '');
  t.true((await records.accountTokens.choosePassword({ id, password: 'hash' })).done);
  t.is(await resetPassword('jane@example.com', { ...context, publicUrl: null }), 1);
  t.regex(take().errors, /dashboard\.public_url/);
});
