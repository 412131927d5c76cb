import test from 'ava';
import { sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { listKeys, revokeKey } from '../../src/cli/manage-keys.ts';
import { NOON, openTerminal } from './key-terminal.ts';

test('a key is revoked by name, by last four, or whole', async (t) => {
  const { context, create, takeOutput } = await openTerminal(t);
  for (const handle of [(_: string) => 'shop', (key: string) => key.slice(-4), (key: string) => key]) {
    await create('shop');
    const key = takeOutput().trim();
    t.is(await revokeKey(handle(key), context), 0);
    const said = takeOutput();
    t.true(said.includes(`"shop" ending in ${key.slice(-4)}`));
    t.false(said.includes(key));
    t.is(await context.records.apiKeys.authorize(sha256OfKey(key), NOON), null);
  }
});

test('an unknown key is an error of the user, with a hint', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  await create('shop');
  const key = takeOutput().trim();
  takeErrors();
  t.is(await revokeKey('unknown', context), 1);
  t.regex(takeErrors(), /No active key matches\. gatekeeper keys list/);
  t.is(await revokeKey('ci', context), 1);
  t.regex(takeErrors(), /api\.keys in the configuration/);
  t.is(await revokeKey(`${key.slice(0, -1)}-`, context), 1);
  t.regex(takeErrors(), /mistyped/);
  await revokeKey('shop', context);
  t.is(await revokeKey(key, context), 1);
  t.is(await revokeKey('', context), 1);
});

test('an ambiguous last four revokes nothing', async (t) => {
  const { context, takeErrors } = await openTerminal(t);
  const { accounts, apiKeys } = context.records;
  for (const name of ['a', 'b']) {
    const { id: accountId } = await accounts.create({ name, plan: 'hobby' });
    await apiKeys.create({ accountId, name, sha256: name, lastFour: 'wxyz', test: false, expiresAt: null });
  }
  t.is(await revokeKey('wxyz', context), 1);
  t.regex(takeErrors(), /fits several keys: "a" ending in wxyz .*"b" ending in wxyz/);
  t.true((await apiKeys.list()).every(({ revokedAt }) => revokedAt === null));
});

test('keys are listed as a table and as JSON, with their state and without secrets', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  t.is(await listKeys({ json: false }, context), 0);
  t.is(takeOutput(), '');
  t.is(takeErrors(), 'In the configuration, under api.keys: ci, app (scope gate)\n');
  await listKeys({ json: false }, { ...context, configuredKeys: [] });
  t.regex(takeErrors(), /No keys yet\. Create one/);
  await create('shop', { plan: 'pro' });
  await create('short', { expiresInMs: 1, test: true });
  const keys = takeOutput().trim().split('\n');
  await revokeKey('shop', context);
  takeOutput();
  const later = { ...context, clock: () => NOON + 1 };
  await listKeys({ json: false }, later);
  const table = takeOutput();
  t.regex(table, /^NAME +ENDS IN +KIND +STATE/);
  t.regex(table, /\nshop +\w{4} +live +revoked +pro +2026-11-21T12:00 +never +never\n/);
  t.regex(table, /\nshort +\w{4} +test +expired +not counted/);
  await listKeys({ json: true }, later);
  const json = takeOutput();
  t.like(JSON.parse(json), [
    { name: 'shop', kind: 'live', state: 'revoked', plan: 'pro', last_four: keys[0]?.slice(-4) },
    {
      name: 'short',
      kind: 'test',
      state: 'expired',
      expires_at: '2026-11-21T12:00:00.001Z',
      last_used_at: null,
    },
  ]);
  for (const key of keys) {
    t.false((table + json).includes(key.slice(8, 20)));
    t.false((table + json).includes(sha256OfKey(key)));
  }
});

test('the audit log has created and revoked keys without the key text', async (t) => {
  const { context, create, takeOutput } = await openTerminal(t);
  await create('shop', { plan: 'pro' });
  const key = takeOutput().trim();
  await revokeKey('shop', context);
  const log = await context.records.audit.page({ before: null, limit: 10 });
  const subject = `"shop" ending in ${key.slice(-4)}`;
  t.deepEqual(
    log.map(({ act, actorName, subject: of, detail }) => [act, actorName, of, detail]),
    [
      ['key.revoked', 'command line', subject, {}],
      ['key.created', 'command line', subject, { account: 'shop', plan: 'pro', test: false }],
    ],
  );
  t.false(JSON.stringify(log).includes(key.slice(8, -4)));
});
