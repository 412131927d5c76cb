import test, { type ExecutionContext } from 'ava';
import { AccountError } from '../../../src/accounts/account-error.ts';
import { createSignInThrottle } from '../../../src/accounts/sign-in-throttle.ts';
import { createRecoveryCodes, recoveryCodeSha256 } from '../../../src/accounts/two-factor/recovery-codes.ts';
import { createSecondStep } from '../../../src/accounts/two-factor/second-step.ts';
import { createTakeCode } from '../../../src/accounts/two-factor/take-code.ts';
import { createTotpSecret } from '../../../src/accounts/two-factor/totp.ts';
import { createTwoFactorSecrets } from '../../../src/accounts/two-factor/two-factor-secrets.ts';
import { createUserSessions } from '../../../src/accounts/user-sessions.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { authenticatorCode } from '../../helpers/authenticator-code.ts';
import { clientFrom, openAccountRecords } from '../open-account-records.ts';

const CLIENT = clientFrom('203.0.113.7');
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64url');

/** Jane with two-factor, and nodes that share the records and have counters of their own. */
async function openJane(t: ExecutionContext) {
  const opened = await openAccountRecords(t);
  const { records, clock, user } = opened;
  const before = await user('jane@example.com', { hash: 'a hash' });
  const secret = createTotpSecret();
  const [code = ''] = createRecoveryCodes();
  const sealedSecret = createTwoFactorSecrets(keyOf(1)).seal(before.id, secret);
  const setUp = { accountId: before.id, sessionId: 'one', sealedSecret };
  await records.twoFactor.beginSetUp({ ...setUp, lifetimeMs: 1_000 });
  const hashes = [recoveryCodeSha256(before.id, code) ?? ''];
  await records.twoFactor.turnOn({ ...setUp, step: 1, recoveryCodes: hashes });
  const jane = await records.accounts.find(before.id);
  if (!jane) throw new Error('no account');
  const node = (key = 1) => {
    const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 8 });
    const takeCode = createTakeCode({
      ...{ records, secrets: createTwoFactorSecrets(keyOf(key)), secret: 'a secret of the site' },
      throttle: createSignInThrottle(counters, () => clock.now),
      ...{ clock: () => clock.now, log: createLogger({ level: 'silent', format: 'json' }) },
    });
    const sessions = createUserSessions({ records, secret: 'a secret of the site' });
    return {
      takeCode,
      secondStep: createSecondStep({ records, requiresTwoFactor: () => false, sessions, takeCode }),
    };
  };
  return {
    ...opened,
    before,
    jane,
    node,
    recoveryCode: code,
    code: () => authenticatorCode(secret, clock.now),
  };
}

const tokenOf = (entered: { readonly step: string; readonly token?: string } | null) => entered?.token ?? '';

test('of one code at two nodes at once, one opens a session', async (t) => {
  const { jane, node, code, records } = await openJane(t);
  const nodes = [node(), node()];
  const tokens = await Promise.all(
    nodes.map(async ({ secondStep }) => tokenOf(await secondStep.enter(jane, CLIENT))),
  );
  const outcomes = await Promise.all(
    nodes.map(({ secondStep }, i) => secondStep.finish(tokens[i] ?? '', code(), CLIENT)),
  );
  t.is(outcomes.filter(({ done }) => done).length, 1);
  t.is((await records.sessions.list(jane.id)).length, 1);
});

test('a waiting sign-in that was begun at one node is finished at another', async (t) => {
  const { jane, node, code } = await openJane(t);
  const token = tokenOf(await node().secondStep.enter(jane, CLIENT));
  t.like(await node().secondStep.finish(token, code(), CLIENT), { done: true });
});

test('guesses from many addresses at many nodes share one limit of the account', async (t) => {
  const { jane, node, code } = await openJane(t);
  for (let i = 0; i < 20; i++) {
    const { secondStep } = node();
    const client = clientFrom(`203.0.${i}.7`);
    const token = tokenOf(await secondStep.enter(jane, client));
    t.deepEqual(await secondStep.finish(token, '000000', client), { done: false, because: 'wrong' });
  }
  const { secondStep } = node();
  const token = tokenOf(await secondStep.enter(jane, CLIENT));
  const refused = await t.throwsAsync(secondStep.finish(token, code(), CLIENT), { instanceOf: AccountError });
  t.is(refused?.code, 'too_many_attempts');
});

test('records that were restored without the secret file refuse codes of the app, and take recovery codes', async (t) => {
  const { jane, node, code, recoveryCode } = await openJane(t);
  const { secondStep } = node(2);
  const token = tokenOf(await secondStep.enter(jane, CLIENT));
  const refused = await t.throwsAsync(secondStep.finish(token, code(), CLIENT), { instanceOf: AccountError });
  t.is(refused?.code, 'conflict');
  t.like(await secondStep.finish(token, recoveryCode, CLIENT), { done: true });
});

test('a password that was compared before two-factor was turned on opens no session', async (t) => {
  const { before, node, records } = await openJane(t);
  t.is(before.twoFactorSince, null);
  t.is(await node().secondStep.enter(before, CLIENT), null);
  t.deepEqual(await records.sessions.list(before.id), []);
});

test('the work of a code is undone when it fails, and the code is free again', async (t) => {
  const { jane, node, code } = await openJane(t);
  const { takeCode } = node();
  const typed = { account: jane, typed: code(), client: CLIENT };
  await t.throwsAsync(
    takeCode(typed, async () => {
      throw new Error('the disk is full');
    }),
  );
  t.deepEqual(await takeCode(typed, async () => 'done'), { result: 'done' });
  t.is(await takeCode(typed, async () => 'again'), null);
});
