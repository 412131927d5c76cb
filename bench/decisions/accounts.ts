import { createHash, randomBytes } from 'node:crypto';
import { openStorage } from '../../src/storage/open-storage.ts';

/** Creates a separate account for a key, without a limit. */
export async function addKey(file: string, key: string): Promise<void> {
  const records = await openStorage({ url: `sqlite:${file}`, clock: Date.now });
  try {
    const account = await records.accounts.create({ name: 'bench', plan: 'unlimited' });
    const sha256 = createHash('sha256').update(key).digest('hex');
    const lastFour = key.slice(-4);
    await records.apiKeys.create({
      accountId: account.id,
      name: 'bench',
      sha256,
      lastFour,
      test: false,
      expiresAt: null,
    });
  } finally {
    await records.close();
  }
}

/** Creates an operator in the database and signs in. Returns the `Cookie` of its browser. */
export async function signInOperator(file: string): Promise<string> {
  const records = await openStorage({ url: `sqlite:${file}`, clock: Date.now });
  try {
    const email = 'operator@example.com';
    const account = await records.users.invite({ email, role: 'operator', plan: 'hobby' });
    const link = randomBytes(32).toString('hex');
    const lifetimeMs = 60_000;
    await records.accountTokens.create({
      id: link,
      kind: 'set-up',
      accountId: account.id,
      email,
      lifetimeMs,
    });
    const chosen = await records.accountTokens.choosePassword({ id: link, password: 'nobody knows it' });
    const token = randomBytes(32).toString('base64url');
    const id = createHash('sha256').update(token).digest('hex');
    const session = chosen.done
      ? await records.sessions.create(
          { id, accountId: account.id, browser: 'a benchmark', network: '127.0.0.0/24' },
          chosen.account.passwordChangedAt,
        )
      : null;
    if (!session) throw new Error('the operator of the benchmark could not be signed in');
    return `gatekeeper_session=${token}`;
  } finally {
    await records.close();
  }
}
