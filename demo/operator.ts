import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { createPasswordHasher } from '../src/accounts/password-hasher.ts';
import { DEFAULT_PLAN } from '../src/accounts/plan-limits.ts';
import type { Storage } from '../src/storage/storage.ts';
import { createToken, tokenSha256 } from '../src/web/tokens.ts';

/** The operator of the demo, whose password only the demo knows. */
export interface Operator {
  readonly email: string;
  readonly password: string;
}

const EMAIL = 'operator@example.com';
const MINUTE_MS = 60_000;

/** Creates the first operator, as the set-up link of a first start does. */
export async function createOperator({ accountTokens }: Pick<Storage, 'accountTokens'>): Promise<Operator> {
  const token = createToken();
  const [id, password] = [tokenSha256(token), randomBytes(24).toString('base64url')];
  await accountTokens.create({ id, kind: 'set-up', accountId: null, email: null, lifetimeMs: MINUTE_MS });
  const hash = await createPasswordHasher().hash(password);
  const made = await accountTokens.makeFirstOperator({
    id,
    password: hash,
    email: EMAIL,
    plan: DEFAULT_PLAN,
  });
  if (!made.done) throw new Error('The operator of the demo could not be created.');
  return { email: EMAIL, password };
}

/** `GET /demo/sign-in/:token`: signs the browser in with the operator's password and opens the page of the demo. */
export function signInAsOperator(
  { email, password }: Operator,
  { token, dashboardUrl }: { readonly token: string; readonly dashboardUrl: () => string },
): RequestHandler {
  return async (request, response) => {
    if (tokenSha256(String(request.params.token)) !== tokenSha256(token)) {
      response
        .status(404)
        .send('This link is from an earlier demo. The terminal shows the link of this one.');
      return;
    }
    const answer = await fetch(new URL('/sign-in', dashboardUrl()), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'user-agent': request.get('user-agent') ?? '' },
      body: new URLSearchParams({ email, password }),
    });
    for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
    response.redirect(303, '/');
  };
}

/** Whether a browser with these cookies is signed in to the dashboard. */
export async function isSignedIn(cookie: string | undefined, dashboardUrl: string): Promise<boolean> {
  if (cookie === undefined) return false;
  const { status } = await fetch(new URL('/overview', dashboardUrl), {
    method: 'HEAD',
    redirect: 'manual',
    headers: { cookie },
  });
  return status === 200;
}
