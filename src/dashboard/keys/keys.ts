import { keySubject, recordAct } from '../../accounts/account-audit.ts';
import { issueApiKey, replaceApiKey } from '../../accounts/issue-api-key.ts';
import { createFailureLimiter } from '../../counters/failure-limiter.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import type { AuditAct, AuditDetail } from '../../storage/audit/audit-log.ts';
import type { ApiKey } from '../../storage/keys/api-key-store.ts';
import type { ActRecords } from '../../storage/storage.ts';
import { StorageConflictError } from '../../storage/storage-error.ts';
import { seeOther, signedIn, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { notThere, PageError } from '../page-error.ts';
import { queryText } from '../query-text.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { EMPTY_KEY_FORM, type KeyForm, nameProblem, readKeyForm, readOverlap } from './key-form.ts';
import { sendKeysPage, sendNewKeyPage } from './keys-page.tsx';

const DAY_MS = 86_400_000;
/** The number of new keys is limited, since each adds a row and an entry of the audit log. */
const NEW_KEYS = { limit: 30, windowMs: 3_600_000, maxKeys: 10_000 };

/**
 * API keys of the viewer's account; operators see every account. Only the answer to the form that creates a key
 * contains it. No redirect, session or log does.
 */
export function registerKeys(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const newKeys = createFailureLimiter(NEW_KEYS);
  const { records, clock } = dependencies;

  router.get('/keys', signedIn, async (context) => {
    const account = await accountOfPage(context, queryText(context, 'account'), dependencies);
    await show(context, { account, form: EMPTY_KEY_FORM });
  });

  router.post('/keys', signedIn, async (context) => {
    const account = await accountOfPage(context, context.state.form.text('account'), dependencies);
    const form = readKeyForm(context.state.form);
    const problem = nameProblem(form.name);
    if (problem !== undefined) return show(context, { account, form, problem });
    // Decisions of the gate belong to the whole site, and members must not see them.
    if (form.readsGate && viewerOf(context).role !== 'operator')
      throw new PageError(403, 'Only operators create keys with the scope gate.');
    takePlace(account.id);
    const expiresAt = form.endsInDays === null ? null : clock() + form.endsInDays * DAY_MS;
    try {
      const { name, test } = form;
      const scope = form.readsGate ? 'gate' : null;
      const { key, stored } = await records.act(async (records) => {
        const issued = await issueApiKey(records, { accountId: account.id, name, test, scope, expiresAt });
        const log = logOf(context, records);
        await log(
          'key.created',
          { account, key: issued.stored },
          { test, ...(scope && { scope }), ends: isoOrNever(expiresAt) },
        );
        return issued;
      });
      sendNewKeyPage(context, { account, key, made: stored, apiUrl: dependencies.apiUrl, replaced: null });
    } catch (error) {
      if (!(error instanceof StorageConflictError)) throw error;
      await show(context, { account, form, problem: error.message });
    }
  });

  router.post('/keys/rotate', signedIn, async (context) => {
    const account = await accountOfPage(context, context.state.form.text('account'), dependencies);
    const overlapMs = readOverlap(context.state.form);
    if (overlapMs === null) throw new PageError(400, 'Choose how long the old key still works.');
    takePlace(account.id);
    const [old] = (await records.apiKeys.listOf(account.id)).filter(
      ({ id }) => id === context.state.form.text('id'),
    );
    if (!old) throw notThere();
    const rotate = async (records: ActRecords) => {
      const rotated = await replaceApiKey(records, old, overlapMs);
      if (!rotated) return null;
      const { replaced, stored } = rotated;
      const ends = replaced.revokedAt === null ? isoOrNever(replaced.expiresAt) : 'at once';
      const detail = { replaced: replaced.lastFour, old_ends: ends };
      await logOf(context, records)('key.rotated', { account, key: stored }, detail);
      return rotated;
    };
    const rotated = await records.act(rotate).catch(refuseConflict);
    if (!rotated) throw new PageError(409, 'This key has already ended. Create a new key.');
    const { key, replaced, stored } = rotated;
    sendNewKeyPage(context, { account, key, made: stored, apiUrl: dependencies.apiUrl, replaced });
  });

  router.post('/keys/revoke', signedIn, async (context) => {
    const account = await accountOfPage(context, context.state.form.text('account'), dependencies);
    const revoked = await records.act(async (records) => {
      const key = await records.apiKeys.revokeOf(account.id, context.state.form.text('id'));
      if (key) await logOf(context, records)('key.revoked', { account, key }, {});
      return key;
    });
    if (!revoked) throw notThere();
    const own = account.id === viewerOf(context).accountId;
    seeOther(context, `/keys?done=revoked${own ? '' : `&account=${encodeURIComponent(account.id)}`}`);
  });

  function takePlace(accountId: string): void {
    const waitMs = newKeys.acquire(accountId, clock());
    if (waitMs === 0) return;
    const message = `${NEW_KEYS.limit} keys were created within an hour, which is the limit. Try again later.`;
    throw new PageError(429, message, Math.ceil(waitMs / 1_000));
  }

  async function show(
    context: DashboardContext,
    view: { readonly account: Account; readonly form: KeyForm; readonly problem?: string },
  ): Promise<void> {
    const now = clock();
    const { id } = view.account;
    const [keys, usage] = await Promise.all([records.apiKeys.listOf(id), records.quotas.usageByKey(id, now)]);
    sendKeysPage(context, {
      ...view,
      problem: view.problem ?? null,
      keys,
      usage,
      now,
      isOwn: id === viewerOf(context).accountId,
      isOperator: viewerOf(context).role === 'operator',
      done:
        context.query.done === 'revoked'
          ? 'The key was revoked. All processes refuse it within a second.'
          : null,
    });
  }

  const logOf =
    (context: DashboardContext, records: ActRecords) =>
    (
      act: AuditAct,
      { account, key }: { readonly account: Account; readonly key: ApiKey },
      detail: AuditDetail,
    ): Promise<void> =>
      recordAct({ records, clock }, viewerOf(context), {
        act,
        subject: keySubject(key),
        detail: { account: account.name, ...detail },
      });
}

/** The account of the page: the viewer's account, or the account that an operator asked for. */
async function accountOfPage(
  context: DashboardContext,
  wantedId: string,
  { records }: DashboardDependencies,
): Promise<Account> {
  const { accountId, role } = viewerOf(context);
  if (wantedId !== '' && wantedId !== accountId && role !== 'operator') throw notThere();
  const account = await records.accounts.find(wantedId || accountId);
  if (!account) throw notThere();
  return account;
}

function refuseConflict(error: unknown): never {
  if (error instanceof StorageConflictError) throw new PageError(409, error.message);
  throw error;
}

function isoOrNever(time: number | null): string {
  return time === null ? 'never' : new Date(time).toISOString();
}
