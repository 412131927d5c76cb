import { COMMAND_LINE, keySubject, recordAct } from '../accounts/account-audit.ts';
import { hasValidChecksum, sha256OfKey } from '../accounts/api-key-format.ts';
import { issueApiKey, keyNameProblem } from '../accounts/issue-api-key.ts';
import { DEFAULT_PLAN, requirePlan } from '../accounts/plan-limits.ts';
import type { Clock } from '../clock.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { ApiKey } from '../storage/keys/api-key-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExitCode } from './command-context.ts';
import { refuse, reportingRefusals } from './report-refusal.ts';
import { tableOf } from './table.ts';

export interface KeysContext {
  readonly records: Storage;
  /** The names of all plans: under `api.plans`, and built in. */
  readonly plans: readonly string[];
  /** The names under `api.keys`. */
  readonly configuredKeys: readonly string[];
  readonly clock: Clock;
  /** Standard output and standard error. */
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export interface NewKeyOptions {
  readonly name: string;
  /** Null: `hobby`, or the plan of an existing account with this name. */
  readonly plan: string | null;
  readonly test: boolean;
  /** Null: never. */
  readonly expiresInMs: number | null;
}

/**
 * `gatekeeper keys create`: creates a key, and an account with the name of the key. If a revoked key had this name, its
 * account and usage are kept. Prints only the key to standard output.
 */
export function createKey(options: NewKeyOptions, context: KeysContext): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const { records, clock, plans, configuredKeys } = context;
    const { name, plan, test, expiresInMs } = options;
    const nameProblem = keyNameProblem(name);
    if (nameProblem !== undefined) return refuse(context, nameProblem);
    if (configuredKeys.includes(name)) {
      return refuse(
        context,
        `The configuration has a key named "${name}" (under api.keys). Choose another name.`,
      );
    }
    if (plan !== null) requirePlan(plan, plans);
    const account =
      (await records.accounts.findByName(name)) ??
      (await records.accounts.ensure({ name, plan: plan ?? DEFAULT_PLAN }));
    const expiresAt = expiresInMs === null ? null : clock() + expiresInMs;
    const { key, stored } = await issueApiKey(records, { accountId: account.id, name, test, expiresAt });
    if (plan !== null && plan !== account.plan) await records.accounts.setPlan(account.id, plan);
    await recordAct(context, COMMAND_LINE, {
      act: 'key.created',
      subject: keySubject(stored),
      detail: { account: account.name, plan: plan ?? account.plan, test },
    });
    context.writeError(
      `${test ? 'Test key' : 'Key'} "${name}" on plan ${plan ?? account.plan}, ` +
        `${expiresAt === null ? 'without expiry' : `valid until ${isoTime(expiresAt)}`}. It is shown only once:\n`,
    );
    context.write(`${key}\n`);
    return 0;
  });
}

/** `gatekeeper keys list [--json]`: every key, also revoked keys, without the key text. */
export function listKeys({ json }: { readonly json: boolean }, context: KeysContext): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const keys = await context.records.apiKeys.list();
    const now = context.clock();
    const described = keys.map((key) => describeKey(key, now));
    if (json) {
      context.write(`${JSON.stringify(described, null, 2)}\n`);
      return 0;
    }
    const { configuredKeys } = context;
    if (keys.length > 0) context.write(keyTable(described));
    if (configuredKeys.length > 0) {
      context.writeError(`In the configuration, under api.keys: ${configuredKeys.join(', ')}\n`);
    } else if (keys.length === 0) {
      context.writeError('No keys yet. Create one with gatekeeper keys create.\n');
    }
    return 0;
  });
}

/** `gatekeeper keys revoke <name or last four>`; also accepts the key's id or the whole key. */
export function revokeKey(text: string, context: KeysContext): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const looksLikeKey = /^gk_(live|test)_/.test(text);
    if (looksLikeKey && !hasValidChecksum(text)) {
      return refuse(
        context,
        'This key is mistyped: its checksum is wrong. Use its name or its last four characters instead.',
      );
    }
    const { apiKeys } = context.records;
    const whole = looksLikeKey ? await apiKeys.authorize(sha256OfKey(text), context.clock()) : null;
    const revoked = looksLikeKey && !whole ? [] : await apiKeys.revoke(whole?.keyId ?? text);
    if (revoked.length === 0) {
      const place = context.configuredKeys.includes(text)
        ? 'The key is under api.keys in the configuration. Remove it there.'
        : 'gatekeeper keys list shows all keys.';
      return refuse(context, `No active key matches. ${place}`);
    }
    for (const key of revoked) {
      await recordAct(context, COMMAND_LINE, { act: 'key.revoked', subject: keySubject(key) });
      context.write(`Revoked ${keySubject(key)}. Every process refuses it within a second.\n`);
    }
    return 0;
  });
}

/** The shape of `keys list --json`. */
function describeKey(key: ApiKey & { readonly account: Account }, now: number) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    kind: key.test ? 'test' : 'live',
    state: stateOf(key, now),
    account: key.account.name,
    plan: key.account.plan,
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt === null ? null : isoTime(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : isoTime(key.revokedAt),
    last_used_at: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
  };
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

function keyTable(keys: readonly ReturnType<typeof describeKey>[]): string {
  const head = ['NAME', 'ENDS IN', 'KIND', 'STATE', 'PLAN', 'CREATED', 'EXPIRES', 'LAST USED'];
  const rows = keys.map((key) => [
    key.name,
    key.last_four,
    key.kind,
    key.state,
    key.plan,
    key.created_at.slice(0, 16),
    key.expires_at?.slice(0, 16) ?? 'never',
    key.last_used_at?.slice(0, 16) ?? 'never',
  ]);
  return tableOf(head, rows);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
