import type { TwoFactorProblems } from '../../../accounts/two-factor/two-factor-settings.ts';
import { everyUser, seeOther, viewerOf } from '../../access.ts';
import { notThere } from '../../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../../router.ts';
import { keepSignedIn } from '../account-cookies.ts';
import type { AccountDependencies } from '../account-dependencies.ts';
import { clientOf } from '../request-client.ts';
import type { OwedFactor } from './owed-factor.tsx';
import { sendRecoveryCodesPage, sendTwoFactorPage, type TwoFactorForm } from './two-factor-page.tsx';

const PATH = '/account/two-factor';
const NOT_CONFIRMED = 'This passkey does not belong to an account here, or was used before. Try again.';

/** The viewer's own second factor. */
export function registerTwoFactor(router: DashboardRouter, dependencies: AccountDependencies): void {
  const { accounts, records, publicUrl } = dependencies;
  const { twoFactor } = accounts;

  router.get(PATH, everyUser, (context) => show(context, null));

  router.post(`${PATH}/begin`, everyUser, async (context) => {
    await twoFactor.begin(viewerOf(context));
    seeOther(context, PATH);
  });

  router.post(`${PATH}/on`, everyUser, async (context) => {
    const { form } = context.state;
    const input = { code: form.text('code'), password: form.raw('password') };
    const outcome = await twoFactor.turnOn(viewerOf(context), input, clientOf(context, dependencies));
    if (outcome.done) sendRecoveryCodesPage(context, { codes: outcome.recoveryCodes, isFirst: true });
    else await show(context, { form: 'set-up', problems: outcome.problems });
  });

  router.post(`${PATH}/recovery-codes`, everyUser, async (context) => {
    const { form } = context.state;
    const input = { code: form.text('codes-code'), password: form.raw('codes-password') };
    const client = clientOf(context, dependencies);
    const outcome = await twoFactor.replaceRecoveryCodes(viewerOf(context), input, client);
    if (outcome.done) sendRecoveryCodesPage(context, { codes: outcome.recoveryCodes, isFirst: false });
    else await show(context, { form: 'codes', problems: outcome.problems });
  });

  router.post(`${PATH}/off`, everyUser, async (context) => {
    const { form } = context.state;
    const input = { code: form.text('off-code'), password: form.raw('off-password') };
    const outcome = await twoFactor.turnOff(viewerOf(context), input, clientOf(context, dependencies));
    if (outcome.done) seeOther(context, `${PATH}?done=off`);
    else await show(context, { form: 'off', problems: outcome.problems });
  });

  router.post(`${PATH}/passkey/options`, everyUser, async (context) => {
    context.body = await accounts.passkeys.beginAdding(viewerOf(context));
  });

  router.post(`${PATH}/passkey`, everyUser, async (context) => {
    const { form } = context.state;
    const input = {
      response: form.raw('response'),
      name: form.text('passkey-name'),
      password: form.raw('passkey-password'),
      code: '',
    };
    const client = clientOf(context, dependencies);
    const outcome = await accounts.passkeys.add(viewerOf(context), input, client);
    if (outcome.done) seeOther(context, '/account?done=passkey');
    else await show(context, null, { problems: outcome });
  });

  router.post(`${PATH}/confirm/options`, everyUser, async (context) => {
    context.body = await accounts.passkeys.beginSignIn();
  });

  router.post(`${PATH}/confirm`, everyUser, async (context) => {
    const response = context.state.form.raw('response');
    const signedIn = await accounts.passkeys.signIn(response, clientOf(context, dependencies));
    if (!signedIn) return show(context, null, { problem: NOT_CONFIRMED });
    keepSignedIn(context, publicUrl(), signedIn);
    seeOther(context, '/');
  });

  async function show(
    context: DashboardContext,
    refused: { readonly form: TwoFactorForm; readonly problems: TwoFactorProblems } | null,
    passkey: Pick<OwedFactor, 'problem' | 'problems'> = {},
  ): Promise<void> {
    const viewer = viewerOf(context);
    const [account, factor, setUp, passkeys] = await Promise.all([
      records.accounts.find(viewer.accountId),
      records.twoFactor.find(viewer.accountId),
      twoFactor.findSetUp(viewer),
      records.passkeys.list(viewer.accountId),
    ]);
    if (!account) throw notThere();
    const since = account.twoFactorSince;
    sendTwoFactorPage(context, {
      email: account.email,
      on: since === null ? null : { since, recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0 },
      owed: viewer.owesTwoFactor
        ? { ...passkey, hasPasskey: passkeys.length > 0, canAddPasskeys: accounts.passkeys.isAvailable() }
        : null,
      setUp,
      refused,
      done: context.query.done === 'off' ? 'Two-factor was turned off.' : null,
    });
  }
}
