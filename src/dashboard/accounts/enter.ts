import type { Entered } from '../../accounts/two-factor/second-step.ts';
import { seeOther } from '../access.ts';
import type { DashboardContext } from '../router.ts';
import { keepSignedIn, setPendingCookie } from './account-cookies.ts';
import { secondStepPath } from './two-factor/second-step-page.tsx';

/**
 * Called after the right password or a link from a mail. Sends the user to `next`, or first to the second step when the
 * account has one.
 */
export function enter(
  context: DashboardContext,
  {
    entered,
    next,
    publicUrl,
  }: { readonly entered: Entered; readonly next: string; readonly publicUrl: string },
): void {
  if (entered.step === 'signed-in') {
    keepSignedIn(context, publicUrl, entered.signedIn);
    seeOther(context, next);
  } else {
    setPendingCookie(context, publicUrl, entered.token);
    seeOther(context, secondStepPath(next));
  }
}
