import { COMMAND_LINE, keySubject, recordAct } from '../accounts/account-audit.ts';
import { hasValidChecksum, sha256OfKey } from '../accounts/api-key-format.ts';
import { issueApiKey, keyNameProblem, keyScopeProblem } from '../accounts/issue-api-key.ts';
import { DEFAULT_PLAN, planProblem } from '../accounts/plan-limits.ts';
import type { Clock } from '../clock.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import { type ApiKey, KEY_SCOPES, toKeyScope } from '../storage/keys/api-key-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExitCode } from './command-context.ts';
import { refuse, reportingRefusals } from './report-refusal.ts';
import { tableOf } from './table.ts';

export interface KeysContext {
  readonly records: Storage;
  /** The names of all plans: the plans under `api.plans` and the built-in plans. */
  readonly plans: readonly string[];
  /** The keys under `api.keys`. */
  readonly configuredKeys: readonly Pick<ApiKey, 'name' | 'scope'>[];
  readonly clock: Clock;
  /** Standard output and standard error. */
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Standard output, for what is shown only once. False when it could not be written. */
  readonly deliver: (text: string) => Promise<boolean>;
}

export interface NewKeyOptions {
  readonly name: string;
  /** The plan. Null: the plan of an existing account with this name, or `hobby`. */
  readonly plan: string | null;
  readonly test: boolean;
  /** The scope as typed. Null: no scope. */
  readonly scope: string | null;
  /** The lifetime of the key in milliseconds. Null: the key does not expire. */
  readonly expiresInMs: number | null;
}

/** Why a key cannot be created, as a sentence. It needs no records, so a mistake makes none. */
export function newKeyProblem(
  { name, plan, test, scope: typed }: NewKeyOptions,
  { plans, configuredKeys }: Pick<KeysContext, 'plans' | 'configuredKeys'>,
): string | undefined {
  const nameProblem = keyNameProblem(name);
  if (nameProblem !== undefined) return nameProblem;
  if (configuredKeys.some((key) => key.name === name))
    return `The configuration has a key named "${name}" (under api.keys). Choose another name.`;
  const scope = toKeyScope(typed);
  if (scope !== typed) return `The scope "${typed}" does not exist. Scopes are ${KEY_SCOPES.join(', ')}.`;
  return keyScopeProblem({ scope, test }) ?? (plan === null ? undefined : planProblem(plan, plans));
}

/**
 * `gatekeeper keys create`: creates a key, and an account with the name of the key. If a revoked key had this name, its
 * account and usage are kept. Prints only the key to standard output. A key that could not be printed is revoked.
 *
 * @param options without a `newKeyProblem`.
 */
export function createKey(options: NewKeyOptions, context: KeysContext): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const { records, clock } = context;
    const { name, plan, test, expiresInMs } = options;
    const scope = toKeyScope(options.scope);
    const expiresAt = expiresInMs === null ? null : clock() + expiresInMs;
    const { account, key, stored } = await records.act(async (records) => {
      const account =
        (await records.accounts.findByName(name)) ??
        (await records.accounts.ensure({ name, plan: plan ?? DEFAULT_PLAN }));
      const { key, stored } = await issueApiKey(records, {
        accountId: account.id,
        name,
        test,
        scope,
        expiresAt,
      });
      if (plan !== null && plan !== account.plan) await records.accounts.setPlan(account.id, plan);
      await recordAct({ records, clock }, COMMAND_LINE, {
        act: 'key.created',
        subject: keySubject(stored),
        detail: { account: account.name, plan: plan ?? account.plan, test, ...(scope && { scope }) },
      });
      return { account, key, stored };
    });
    context.writeError(
      `${test ? `Test key "${name}", which no plan counts` : `Key "${name}" on plan ${plan ?? account.plan}`}${scope === null ? '' : ` with the scope ${scope}`}, ` +
        `${expiresAt === null ? 'without expiry' : `valid until ${isoTime(expiresAt)}`}. It is shown only once:\n`,
    );
    if (await context.deliver(`${key}\n`)) return 0;
    await revokeAndRecord(context, stored.id);
    context.writeError(
      'The key could not be written to standard output, so it is revoked. Run the command again.\n',
    );
    return 2;
  });
}

/** `gatekeeper keys list [--json]`: lists every key, also revoked keys, but not the text of a key. */
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
      const named = configuredKeys.map(({ name, scope }) => (scope ? `${name} (scope ${scope})` : name));
      context.writeError(`In the configuration, under api.keys: ${named.join(', ')}\n`);
    } else if (keys.length === 0) {
      context.writeError('No keys yet. Create one with gatekeeper keys create --name NAME.\n');
    }
    return 0;
  });
}

/** `gatekeeper keys revoke <name or last four>`. It also accepts the id of the key or the whole key. */
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
    const revoked = looksLikeKey && !whole ? [] : await revokeAndRecord(context, whole?.keyId ?? text);
    if (revoked.length === 0) {
      const place = context.configuredKeys.some(({ name }) => name === text)
        ? 'The key is under api.keys in the configuration. Remove it there.'
        : 'gatekeeper keys list shows all keys.';
      return refuse(context, `No active key matches. ${place}`);
    }
    for (const key of revoked) {
      context.write(`Revoked ${keySubject(key)}. Every process refuses it within a second.\n`);
    }
    return 0;
  });
}

function revokeAndRecord({ records, clock }: KeysContext, text: string): Promise<readonly ApiKey[]> {
  return records.act(async (records) => {
    const revoked = await records.apiKeys.revoke(text);
    for (const key of revoked) {
      const entry = { act: 'key.revoked', subject: keySubject(key) } as const;
      await recordAct({ records, clock }, COMMAND_LINE, entry);
    }
    return revoked;
  });
}

/** The shape of `keys list --json`. */
function describeKey(key: ApiKey & { readonly account: Account }, now: number) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    kind: key.test ? 'test' : 'live',
    scope: key.scope,
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
  const head = ['NAME', 'ENDS IN', 'KIND', 'STATE', 'PLAN', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPE'];
  const rows = keys.map((key) => [
    key.name,
    key.last_four,
    key.kind,
    key.state,
    key.kind === 'test' ? 'not counted' : key.plan,
    key.created_at.slice(0, 16),
    key.expires_at?.slice(0, 16) ?? 'never',
    key.last_used_at?.slice(0, 16) ?? 'never',
    key.scope ?? '',
  ]);
  return tableOf(head, rows);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
