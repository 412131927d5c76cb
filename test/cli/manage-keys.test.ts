import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { hasValidChecksum, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import {
  createKey,
  type KeysContext,
  listKeys,
  type NewKeyOptions,
  revokeKey,
} from '../../src/cli/manage-keys.ts';
import { openDatabase } from '../helpers/empty-database.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');

interface Terminal {
  readonly context: KeysContext;
  readonly folder: string;
  /** The output since the last call. */
  takeOutput(): string;
  takeErrors(): string;
  create(name: string, options?: Partial<NewKeyOptions>): Promise<number>;
}

async function openTerminal(t: ExecutionContext): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-keys-'));
  const records = await openDatabase(`${folder}/gatekeeper.db`, () => NOON);
  t.teardown(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  let output = '';
  let errors = '';
  const context: KeysContext = {
    records,
    plans: ['unlimited', 'hobby', 'pro'],
    configuredKeys: [
      { name: 'ci', scope: null },
      { name: 'app', scope: 'gate' },
    ],
    clock: () => NOON,
    write: (text) => {
      output += text;
    },
    deliver: async (text) => {
      output += text;
      return true;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  const take = (text: string, clear: () => void) => {
    clear();
    return text;
  };
  return {
    context,
    folder,
    takeOutput: () =>
      take(output, () => {
        output = '';
      }),
    takeErrors: () =>
      take(errors, () => {
        errors = '';
      }),
    create: (name, options) =>
      createKey({ name, plan: null, test: false, scope: null, expiresInMs: null, ...options }, context),
  };
}

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
  const { context, create, takeOutput } = await openTerminal(t);
  await create('sandbox', { test: true });
  const key = takeOutput().trim();
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
  t.regex(table, /\nshort +\w{4} +test +expired +hobby/);
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
