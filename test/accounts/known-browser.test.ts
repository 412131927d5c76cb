import test from 'ava';
import { knownBrowserId, rememberBrowser } from '../../src/accounts/known-browser.ts';
import type { Account } from '../../src/storage/accounts/account-store.ts';

const SECRET = 'a secret of the site';

function account(id: string, passwordChangedAt = 1): Account {
  return {
    id,
    name: id,
    plan: 'hobby',
    createdAt: 0,
    email: `${id}@example.com`,
    role: 'member',
    passwordChangedAt,
    lastSignedInAt: null,
    twoFactorSince: null,
  };
}

test('a browser is known to the accounts that signed in there, and to no other', (t) => {
  const first = rememberBrowser(null, account('jane'), SECRET);
  const both = rememberBrowser(first, account('john'), SECRET);
  t.is(both.browserId, first.browserId);
  t.is(knownBrowserId(both, account('jane'), SECRET), first.browserId);
  t.is(knownBrowserId(both, account('john'), SECRET), first.browserId);
  t.is(knownBrowserId(both, account('mary'), SECRET), null);
  t.is(knownBrowserId(both, null, SECRET), null);
  t.is(knownBrowserId(null, account('jane'), SECRET), null);
});

test('a new password voids the mark, and so does another secret', (t) => {
  const known = rememberBrowser(null, account('jane'), SECRET);
  t.is(knownBrowserId(known, account('jane', 2), SECRET), null);
  t.is(knownBrowserId(known, account('jane'), 'another secret'), null);
  const again = rememberBrowser(known, account('jane', 2), SECRET);
  t.is(knownBrowserId(again, account('jane', 2), SECRET), known.browserId);
});

test('five accounts are remembered, the newest first, each once', (t) => {
  let known = rememberBrowser(null, account('user 0'), SECRET);
  for (let i = 1; i < 8; i++) known = rememberBrowser(known, account(`user ${i}`), SECRET);
  t.is(known.marks.length, 5);
  t.is(rememberBrowser(known, account('user 7'), SECRET).marks.length, 5);
  t.deepEqual(rememberBrowser(known, account('user 7'), SECRET), known);
  t.is(knownBrowserId(known, account('user 2'), SECRET), null);
  t.is(knownBrowserId(known, account('user 3'), SECRET), known.browserId);
});

test('a mark of another browser makes no browser known', (t) => {
  const one = rememberBrowser(null, account('jane'), SECRET);
  const other = rememberBrowser(null, account('john'), SECRET);
  const mixed = { browserId: other.browserId, marks: one.marks };
  t.is(knownBrowserId(mixed, account('jane'), SECRET), null);
});
