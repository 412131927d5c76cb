import test, { type ExecutionContext } from 'ava';
import type { SignedInUser } from '../../../src/accounts/own-password.ts';
import { authenticatorCode } from '../../helpers/authenticator-code.ts';
import { cheapHash } from '../../helpers/cheap-password.ts';
import { clientFrom } from '../open-account-records.ts';
import { openAccountService, PASSWORD } from '../open-account-service.ts';
import {
  type CreationOptions,
  createSoftwarePasskey,
  newPasskeyResponse,
  type RequestOptions,
  type SoftwarePasskey,
  signInResponse,
} from './software-passkey.ts';

const CLIENT = clientFrom('203.0.113.7');
const MINUTE_MS = 60_000;
const NEEDS_PASSKEY = { message: /Confirm with it before/ };

/** Jane, who signs in with her password or her passkeys. */
async function openJane(
  t: ExecutionContext,
  settings: { publicUrl?: string; requiresTwoFactor?: boolean } = {},
) {
  const opened = await openAccountService(t, settings);
  const { passkeys, sessions } = opened.service;
  const { id, name, email } = await opened.user('jane@example.com', { hash: cheapHash(PASSWORD) });

  async function session(): Promise<SignedInUser & { readonly token: string }> {
    const account = await opened.records.accounts.find(id);
    const signedIn = account && (await sessions.open(account, CLIENT));
    const token = signedIn?.token ?? '';
    const sessionId = (await sessions.find(token))?.session.id ?? '';
    return { accountId: id, sessionId, name, email, token };
  }
  async function response(user: SignedInUser, key: SoftwarePasskey, origin?: string): Promise<string> {
    const options = (await passkeys.beginAdding(user)) as CreationOptions;
    return newPasskeyResponse(options, { key, ...(origin !== undefined && { origin }) });
  }
  const addResponse = (user: SignedInUser, text: string) =>
    passkeys.add(user, { response: text, name: 'phone', password: PASSWORD, code: '' }, CLIENT);
  return {
    ...{ ...opened, settings, session, response, addResponse, accountId: id },
    add: async (user: SignedInUser, key: SoftwarePasskey) => addResponse(user, await response(user, key)),
    options: async () => (await passkeys.beginSignIn()) as RequestOptions,
    signIn: (text: string, client = CLIENT) => passkeys.signIn(text, client),
    sessions: () => opened.records.sessions.list(id),
    stored: () => opened.records.passkeys.list(id),
  };
}

test('however many challenges strangers take, a user signs in', async (t) => {
  const { add, session, options, signIn, clock } = await openJane(t);
  const key = createSoftwarePasskey();
  await add(await session(), key);
  clock.now += 1;
  const own = await options();
  for (let i = 0; i < 6_000; i++) await options();
  t.truthy(await signIn(signInResponse(own, key)));
});

test('wrong responses of one address do not stop another address', async (t) => {
  const { add, session, options, signIn, clock } = await openJane(t);
  const key = createSoftwarePasskey();
  await add(await session(), key);
  clock.now += 1;
  const wrong = signInResponse(await options(), createSoftwarePasskey());
  for (let i = 0; i < 60; i++) t.is(await signIn(wrong), null);
  await t.throwsAsync(signIn(wrong), { code: 'too_many_attempts' });
  t.truthy(await signIn(signInResponse(await options(), key), clientFrom('198.51.100.1')));
});

test('a response signs in once, of two at once one, and none that was begun before another sign-in', async (t) => {
  const { add, session, options, signIn, clock } = await openJane(t);
  const key = createSoftwarePasskey();
  await add(await session(), key);
  clock.now += 1;
  const early = await options();
  const text = signInResponse(await options(), key);
  const twice = await Promise.all([signIn(text), signIn(text)]);
  t.is(twice.filter((signedIn) => signedIn !== null).length, 1);
  t.is(await signIn(text), null);
  t.is(await signIn(signInResponse(early, key)), null);
  clock.now += 1;
  t.truthy(await signIn(signInResponse(await options(), key)));
});

test('a challenge expires, and only this site makes one', async (t) => {
  const { add, session, options, signIn, clock } = await openJane(t);
  const other = await openJane(t, { publicUrl: 'https://other.example' });
  const key = createSoftwarePasskey();
  await add(await session(), key);
  clock.now += 1;
  const own = await options();
  const forged = [
    Buffer.alloc(38, 7).toString('base64url'),
    ...[own.challenge.slice(0, -1), `${own.challenge}A`, '', 'A'.repeat(51)],
    // A later time under the old hash.
    Buffer.from(own.challenge, 'base64url').fill(255, 0, 6).toString('base64url'),
  ];
  for (const challenge of forged) t.is(await signIn(signInResponse({ ...own, challenge }, key)), null);
  t.is(await other.signIn(signInResponse({ ...own, rpId: 'other.example' }, key)), null);
  clock.now += 5 * MINUTE_MS;
  t.is(await signIn(signInResponse(own, key)), null);
});

test('behind a proxy the URL of the dashboard decides, not the address that it listens on', async (t) => {
  const publicUrl = 'https://admin.example/';
  const { add, addResponse, response, session, options, signIn, clock } = await openJane(t, {
    publicUrl,
  });
  const [key, user] = [createSoftwarePasskey(), await session()];
  const refused = { done: false, response: 'The browser made no passkey for this site. Try again.' };
  for (const origin of ['http://admin.example', 'https://admin.example:8443', 'https://evil.admin.example'])
    t.deepEqual(await addResponse(user, await response(user, key, origin)), refused);
  t.deepEqual(await add(user, key), { done: true });
  clock.now += 1;
  const given = await options();
  t.is(given.rpId, 'admin.example');
  for (const origin of [
    'http://127.0.0.1:8080',
    'https://evil.example',
    'https://admin.example.evil.example',
  ])
    t.is(await signIn(signInResponse(given, key, { origin })), null);
  t.is(
    await signIn(
      signInResponse({ ...given, rpId: 'evil.example' }, key, { origin: 'https://admin.example' }),
    ),
    null,
  );
  t.truthy(await signIn(signInResponse(given, key)));
});

test('a passkey opens no account but its own, and none that is closed', async (t) => {
  const { add, session, options, signIn, clock, user, records, accountId } = await openJane(t);
  const key = createSoftwarePasskey();
  await add(await session(), key);
  const john = await user('john@example.com', { role: 'operator' });
  clock.now += 1;
  t.is(await signIn(signInResponse(await options(), key, { userHandle: john.id })), null);
  t.truthy(await signIn(signInResponse(await options(), key, { userHandle: accountId })));
  clock.now += 1;
  const begun = await options();
  await records.users.close(accountId);
  t.is(await signIn(signInResponse(begun, key)), null);
});

test('a response for a new passkey belongs to its session and is used once', async (t) => {
  const { addResponse, response, session, stored } = await openJane(t);
  const [own, thief] = [await session(), await session()];
  const text = await response(own, createSoftwarePasskey());
  t.false((await addResponse(thief, text)).done);
  const both = await Promise.all([addResponse(own, text), addResponse(own, text)]);
  t.is(both.filter(({ done }) => done).length, 1);
  t.false((await addResponse(own, text)).done);
  t.is((await stored()).length, 1);
});

test('where two-factor is required, the first passkey is the second factor and ends the other sessions', async (t) => {
  const { add, session, sessions, stored, service } = await openJane(t, { requiresTwoFactor: true });
  const [own, other] = [await session(), await session()];
  t.deepEqual(await add(own, createSoftwarePasskey()), { done: true });
  t.deepEqual(
    (await sessions()).map(({ id, byPasskey }) => ({ id, byPasskey })),
    [{ id: own.sessionId, byPasskey: true }],
  );
  t.is(await service.sessions.find(other.token), null);
  t.deepEqual(await add(own, createSoftwarePasskey()), { done: true }, 'this session has a second factor');
  t.is((await stored()).length, 2);
});

test('a password alone adds no second factor beside a passkey', async (t) => {
  const { add, session, stored, service, clock, settings, accountId, records } = await openJane(t);
  t.deepEqual(await add(await session(), createSoftwarePasskey()), { done: true });
  const thief = await session();
  settings.requiresTwoFactor = true;
  await t.throwsAsync(add(thief, createSoftwarePasskey()), NEEDS_PASSKEY);
  await service.twoFactor.begin(thief);
  const { secret = '' } = (await service.twoFactor.findSetUp(thief)) ?? {};
  const code = authenticatorCode(secret, clock.now);
  await t.throwsAsync(service.twoFactor.turnOn(thief, { password: PASSWORD, code }, CLIENT), NEEDS_PASSKEY);
  t.is((await stored()).length, 1);
  t.is((await records.accounts.find(accountId))?.twoFactorSince, null);
});

test('of two sessions that add the first passkey at once, one has it', async (t) => {
  const { add, session, sessions, stored } = await openJane(t, { requiresTwoFactor: true });
  const [own, thief] = [await session(), await session()];
  const both = await Promise.allSettled([own, thief].map((user) => add(user, createSoftwarePasskey())));
  t.is(both.filter((one) => one.status === 'fulfilled' && one.value.done).length, 1);
  t.is((await stored()).length, 1);
  t.is((await sessions()).length, 1);
});

test('of a passkey and an authenticator app at once, one becomes the second factor', async (t) => {
  const { add, session, sessions, stored, service, clock, accountId, records } = await openJane(t, {
    requiresTwoFactor: true,
  });
  const [own, thief] = [await session(), await session()];
  await service.twoFactor.begin(thief);
  const { secret = '' } = (await service.twoFactor.findSetUp(thief)) ?? {};
  const code = authenticatorCode(secret, clock.now);
  const both = await Promise.allSettled([
    add(own, createSoftwarePasskey()),
    service.twoFactor.turnOn(thief, { password: PASSWORD, code }, CLIENT),
  ]);
  t.is(both.filter((one) => one.status === 'fulfilled' && one.value.done).length, 1);
  const hasApp = (await records.accounts.find(accountId))?.twoFactorSince !== null;
  t.is((await stored()).length, hasApp ? 0 : 1);
  t.is((await sessions()).length, 1);
});

test('a session that ended meanwhile adds nothing', async (t) => {
  const { addResponse, response, session, stored, records, accountId } = await openJane(t);
  const own = await session();
  const text = await response(own, createSoftwarePasskey());
  await records.sessions.end(own.sessionId, accountId);
  await t.throwsAsync(addResponse(own, text), { message: /changed in another window/ });
  t.deepEqual(await stored(), []);
});

test('the last second factor stays while two-factor is required', async (t) => {
  const { add, session, stored, service } = await openJane(t, { requiresTwoFactor: true });
  const own = await session();
  await add(own, createSoftwarePasskey());
  await add(own, createSoftwarePasskey());
  const ids = (await stored()).map(({ id }) => id);
  const removals = await Promise.allSettled(ids.map((id) => service.passkeys.remove(own, id)));
  t.deepEqual(removals.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const [left] = await stored();
  await t.throwsAsync(service.passkeys.remove(own, left?.id ?? ''), { message: /only second factor/ });
});
