import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { hasValidChecksum, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { listKeys, type NewKeyOptions, revokeKey } from '../../src/cli/manage-keys.ts';
import { NOON, openTerminal } from './key-terminal.ts';

test('standard output has only the new key, which works', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  t.is(await create('shop', { plan: 'pro', expiresInMs: 90 * 86_400_000 }), 0);
  const key = takeOutput().replace(/\n$/, '');
  t.true(hasValidChecksum(key));
  t.regex(takeErrors(), /Key "shop" on plan pro, valid until 2027-02-19T12:00:00.000Z/);
  const authorized = await context.records.apiKeys.authorize(sha256OfKey(key), NOON);
  t.like(authorized, { accountName: 'shop', plan: 'pro', test: false });
  t.is(await context.records.apiKeys.authorize(sha256OfKey(key), NOON + 90 * 86_400_000), null);
});

test('a test key says so, and the plan is hobby unless another is named', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  await create('sandbox', { test: true });
  const key = takeOutput().trim();
  t.regex(takeErrors(), /^Test key "sandbox", which no plan counts, without expiry/);
  t.regex(key, /^gk_test_/);
  t.like(await context.records.apiKeys.authorize(sha256OfKey(key), NOON), { test: true, plan: 'hobby' });
});

test('the key is nowhere in the storage folder', async (t) => {
  const { create, takeOutput, folder } = await openTerminal(t);
  await create('shop');
  const key = takeOutput().trim();
  for (const file of ['gatekeeper.db', 'gatekeeper.db-wal']) {
    t.false(readFileSync(join(folder, file)).includes(key.slice(8, 40)), file);
  }
});

const MISTAKES: readonly (readonly [string, string, Partial<NewKeyOptions>, RegExp])[] = [
  [
    'an unknown plan',
    'shop',
    { plan: 'gold' },
    /plan "gold" does not exist\. Plans: hobby, pro, unlimited\./,
  ],
  ['an empty name', '', {}, /1 to 100 visible characters/],
  ['a name with spaces at its ends', ' shop', {}, /without spaces at its ends/],
  ['a name that would move the cursor', 'a\u001b[2J', {}, /visible characters/],
  ['a name of two lines', 'a\nb', {}, /visible characters/],
  ['a name too long', 'x'.repeat(101), {}, /1 to 100/],
  ['the name of a configured key', 'ci', {}, /under api\.keys.*another name/],
];

for (const [what, name, options, message] of MISTAKES) {
  test(`${what} is an error of the user, and no key is created`, async (t) => {
    const { context, create, takeOutput, takeErrors } = await openTerminal(t);
    t.is(await create(name, options), 1);
    t.regex(takeErrors(), message);
    t.is(takeOutput(), '');
    t.deepEqual(await context.records.apiKeys.list(), []);
  });
}

test('a second key of one name is refused with what to do, and changes no plan', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  await create('shop');
  takeOutput();
  takeErrors();
  t.is(await create('shop', { plan: 'pro' }), 1);
  t.is(takeOutput(), '');
  t.regex(takeErrors(), /usable key named "shop" already.*revoke it first/);
  t.is((await context.records.accounts.findByName('shop'))?.plan, 'hobby');
});

test('two keys of one name at the same time: one is refused', async (t) => {
  const { context, create } = await openTerminal(t);
  t.deepEqual((await Promise.all([create('shop'), create('shop')])).sort(), [0, 1]);
  t.is((await context.records.apiKeys.list()).length, 1);
});

test('a rotated key keeps its account, and its plan unless another is named', async (t) => {
  const { context, create } = await openTerminal(t);
  const { accounts } = context.records;
  await create('shop', { plan: 'pro' });
  const before = await accounts.findByName('shop');
  t.is(await revokeKey('shop', context), 0);
  t.is(await create('shop'), 0);
  t.deepEqual(await accounts.findByName('shop'), before);
  t.is(await revokeKey('shop', context), 0);
  t.is(await create('shop', { plan: 'unlimited' }), 0);
  t.is((await accounts.findByName('shop'))?.plan, 'unlimited');
});

test('a key gets the scope gate, and the list shows it', async (t) => {
  const { context, create, takeOutput, takeErrors } = await openTerminal(t);
  t.is(await create('shop', { scope: 'gate' }), 0);
  t.regex(takeErrors(), /^Key "shop" on plan hobby with the scope gate, without expiry/);
  takeOutput();
  await create('plain');
  takeOutput();
  await listKeys({ json: false }, context);
  const lines = takeOutput();
  t.regex(lines, /^NAME .* LAST USED +SCOPE$/m);
  t.regex(lines, /^shop +\S{4} +live +active .* gate$/m);
  t.regex(lines, /^plain +\S{4} +live +active .* never$/m);
  await listKeys({ json: true }, context);
  const listed = JSON.parse(takeOutput()) as { name: string; scope: string | null }[];
  t.deepEqual(listed.map(({ name, scope }) => [name, scope]).toSorted(), [
    ['plain', null],
    ['shop', 'gate'],
  ]);
});

for (const [scope, test_, said] of [
  ['gates', false, /The scope "gates" does not exist\. Scopes are gate\./],
  ['', false, /The scope "" does not exist/],
  ['GATE', false, /The scope "GATE" does not exist/],
  ['gate', true, /A test key has no scope/],
] as const) {
  test(`the scope "${scope}" of a ${test_ ? 'test' : 'live'} key is refused, and no key is made`, async (t) => {
    const { context, create, takeOutput, takeErrors } = await openTerminal(t);
    t.is(await create('shop', { scope, test: test_ }), 1);
    t.regex(takeErrors(), said);
    t.is(takeOutput(), '');
    t.deepEqual(await context.records.apiKeys.list(), []);
  });
}
