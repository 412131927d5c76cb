import { SettingsService } from '@simplewebauthn/server';
import test, { type ExecutionContext } from 'ava';
import type { AddPasskeyOutcome } from '../../../src/accounts/passkeys/passkeys.ts';
import { authenticatorCode } from '../../helpers/authenticator-code.ts';
import { cheapHash } from '../../helpers/cheap-password.ts';
import { clientFrom } from '../open-account-records.ts';
import { openAccountService, PASSWORD } from '../open-account-service.ts';
import { type CreationOptions, newPasskeyResponse } from './software-passkey.ts';

const CLIENT = clientFrom('203.0.113.7');

/** Jane, signed in, with the function that adds a passkey of her authenticator. */
async function openSignedIn(t: ExecutionContext) {
  const opened = await openAccountService(t);
  const { passkeys, sessions } = opened.service;
  const { id, name, email } = await opened.user('jane@example.com', { hash: cheapHash(PASSWORD) });
  const account = await opened.records.accounts.find(id);
  const signedIn = account && (await sessions.open(account, CLIENT));
  const sessionId = (await sessions.find(signedIn?.token ?? ''))?.session.id ?? '';
  const user = { accountId: id, sessionId, name, email };
  const add = async (deviation: Parameters<typeof newPasskeyResponse>[1] = {}, code = '') => {
    const response = newPasskeyResponse((await passkeys.beginAdding(user)) as CreationOptions, deviation);
    return passkeys.add(user, { response, name: 'phone', password: PASSWORD, code }, CLIENT);
  };
  return { ...opened, user, add, stored: () => opened.records.passkeys.list(id) };
}

test('a passkey with an id as long as WebAuthn allows is added', async (t) => {
  const { add, stored } = await openSignedIn(t);
  t.deepEqual(await add({ idBytes: 1_023, transports: ['internal', 'hybrid'] }), { done: true });
  t.like((await stored())[0], { name: 'phone', transports: ['internal', 'hybrid'] });
});

test('a response that no browser sends is not stored', async (t) => {
  const { add, stored } = await openSignedIn(t);
  const refused = { done: false, response: 'The browser made no passkey for this site. Try again.' };
  t.deepEqual(await add({ idBytes: 1_024 }), refused);
  t.deepEqual(await add({ idBytes: 1_024, named: 'short' }), refused);
  t.deepEqual(await add({ named: 'a\u0000b' }), refused);
  t.deepEqual(await add({ transports: ['x'.repeat(1_000_000)] }), refused);
  t.deepEqual(await stored(), []);
});

test('with two-factor, a new passkey needs a code that was not used', async (t) => {
  const { service, clock, user, add, stored } = await openSignedIn(t);
  await service.twoFactor.begin(user);
  const { secret = '' } = (await service.twoFactor.findSetUp(user)) ?? {};
  const first = authenticatorCode(secret, clock.now);
  t.true((await service.twoFactor.turnOn(user, { password: PASSWORD, code: first }, CLIENT)).done);
  for (const code of ['', first]) t.regex((await refusedCode(add({}, code))) ?? '', /^This code is wrong/);
  t.deepEqual(await stored(), []);
  clock.now += 60_000;
  t.deepEqual(await add({}, authenticatorCode(secret, clock.now)), { done: true });
  t.is((await stored()).length, 1);
});

async function refusedCode(adding: Promise<AddPasskeyOutcome>): Promise<string | undefined> {
  const outcome = await adding;
  return outcome.done ? 'added' : outcome.code;
}

test('no address in the certificate of an authenticator is asked for revoked ones', async (t) => {
  const { add } = await openSignedIn(t);
  await add();
  // With a root, the library fetches the lists that certificates below it name.
  const roots = (['android-key', 'android-safetynet', 'apple'] as const).map((identifier) =>
    SettingsService.getRootCertificates({ identifier }),
  );
  t.deepEqual(roots, [[], [], []]);
});
