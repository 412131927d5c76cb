import type { ExecutionContext } from 'ava';
import type { Role } from '../../../../src/storage/accounts/account-store.ts';
import { authenticatorCode } from '../../../helpers/authenticator-code.ts';
import { type AccountServer, PASSWORD } from '../account-server.ts';
import type { CookieBrowser } from '../cookie-browser.ts';

export const STEP_MS = 30_000;

export interface TwoFactorUser {
  readonly accountId: string;
  readonly email: string;
  /** Signed in; it turned two-factor on. */
  readonly browser: CookieBrowser;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code of the app now, or some steps from now. */
  code(steps?: number): string;
  /** A browser that gave the right password and waits at the second step. */
  waiting(): Promise<CookieBrowser>;
}

/** A user who set two-factor up on its pages. The clock goes on, so that the code of the set-up is in the past. */
export async function twoFactorUser(
  t: ExecutionContext,
  server: AccountServer,
  email: string,
  role: Role = 'member',
): Promise<TwoFactorUser> {
  const { accountId, browser } = await server.person(email, role);
  await browser.get('/account/two-factor');
  await browser.post('/account/two-factor/begin');
  const secret = keyIn((await browser.get('/account/two-factor')).body);
  const code = (steps = 0) => authenticatorCode(secret, server.clock.now + steps * STEP_MS);
  const answer = await browser.post('/account/two-factor/on', { code: code(), password: PASSWORD });
  t.is(answer.status, 200);
  server.clock.now += 2 * STEP_MS;
  return {
    ...{ accountId, email, browser, secret, code },
    recoveryCodes: recoveryCodesIn(answer.body),
    async waiting() {
      const visitor = server.browser();
      const { location } = await visitor.post('/sign-in', { email, password: PASSWORD });
      t.regex(location ?? '', /^\/sign-in\/second-step/);
      return visitor;
    },
  };
}

/** The key for typing in, without its spaces. */
export function keyIn(body: string): string {
  return (/class="typed-key">([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '');
}

export function recoveryCodesIn(body: string): readonly string[] {
  return body.match(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/g) ?? [];
}
