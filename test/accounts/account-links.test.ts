import test from 'ava';
import { createPasswordLink, createSetUpLink, draftLink } from '../../src/accounts/account-links.ts';
import { tokenSha256 } from '../../src/web/tokens.ts';
import { NOON, openAccountRecords, PUBLIC_URL } from './open-account-records.ts';

const DAY_MS = 86_400_000;

test('a link carries the token, and what is stored is its hash', (t) => {
  const { url, token } = draftLink(PUBLIC_URL, {
    kind: 'registration',
    accountId: null,
    email: 'a@b.example',
  });
  const secret = url.slice(`${PUBLIC_URL}/links/`.length);
  t.regex(secret, /^[\w-]{43}$/);
  t.like(token, { id: tokenSha256(secret), kind: 'registration', lifetimeMs: DAY_MS });
  t.false(JSON.stringify(token).includes(secret));
});

test('a new set-up link voids the previous link, and none is created once an operator exists', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const find = (url: string | null) => records.accountTokens.find(tokenSha256(url?.split('/').at(-1) ?? ''));
  const first = await createSetUpLink(records, PUBLIC_URL);
  const second = await createSetUpLink(records, PUBLIC_URL);
  t.is(await find(first), null);
  t.like(await find(second), { kind: 'set-up', expiresAt: NOON + 7 * DAY_MS });
  await user('op@example.com', { role: 'operator', hash: 'hash' });
  t.is(await createSetUpLink(records, PUBLIC_URL), null);
});

test('an invitation works for seven days, a link for a new password for an hour', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const { id } = await user('jane@example.com');
  for (const [kind, lifetimeMs] of [
    ['set-up', 7 * DAY_MS],
    ['password-reset', 3_600_000],
  ] as const) {
    const owner = { id, email: 'jane@example.com' };
    const url = await createPasswordLink(records, owner, { kind, publicUrl: PUBLIC_URL });
    const token = await records.accountTokens.find(tokenSha256(url.split('/').at(-1) ?? ''));
    t.is(token?.expiresAt, NOON + lifetimeMs, kind);
  }
});
