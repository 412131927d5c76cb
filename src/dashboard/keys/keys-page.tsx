import type { Account } from '../../storage/accounts/account-store.ts';
import type { ApiKey } from '../../storage/keys/api-key-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { Defined } from '../components/defined.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { curlExample } from './curl-example.ts';
import { type KeyForm, LIFETIMES_DAYS } from './key-form.ts';
import { EndedKeys, UsableKeys } from './key-tables.tsx';

export interface KeysView {
  readonly account: Account;
  /** Whether it is the account of the viewer. */
  readonly isOwn: boolean;
  /** Whether the viewer may create keys with the scope gate. */
  readonly isOperator: boolean;
  readonly keys: readonly ApiKey[];
  /** Signups scored this month, by key id. */
  readonly usage: ReadonlyMap<string, number>;
  readonly form: KeyForm;
  readonly problem: string | null;
  readonly now: number;
  readonly done: string | null;
}

export function sendKeysPage(context: DashboardContext, view: KeysView): void {
  const { csrfToken } = context.state;
  const { account, isOwn, keys, now, problem, done } = view;
  const usable = keys.filter((key) => isUsable(key, now));
  const ended = keys.filter((key) => !isUsable(key, now));
  const title = isOwn ? 'Keys' : `Keys of ${account.name}`;
  sendPage(context, {
    title,
    status: problem === null ? 200 : 400,
    content: (
      <>
        <h1>{title}</h1>
        <p>
          Send the key in the header <code>X-API-Key</code> with each request. All keys of an account share
          its plan: <strong>{account.plan}</strong>.{' '}
          <a href={isOwn ? '/usage' : `/usage?account=${account.id}`}>Show usage</a>
        </p>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        <NewKeyPanel view={view} csrfToken={csrfToken} />
        {usable.length === 0 ? (
          <EmptyState title="No active keys">
            <p>
              Create a key above and run the command that its page shows. The decision then appears under
              Decisions.
            </p>
          </EmptyState>
        ) : (
          <>
            <p>
              <Defined
                id="requests"
                definition="Signups scored with the key and answered with 200 since the first day of this month (UTC). The counts of all keys add up to the used quota. Test keys are not counted."
              >
                What “Requests” counts
              </Defined>
            </p>
            <UsableKeys account={account} keys={usable} usage={view.usage} csrfToken={csrfToken} />
          </>
        )}
        {ended.length > 0 && <EndedKeys keys={ended} usage={view.usage} />}
      </>
    ),
  });
}

/** The only page that shows a key. */
export function sendNewKeyPage(
  context: DashboardContext,
  view: {
    readonly account: Account;
    readonly key: string;
    readonly made: ApiKey;
    readonly apiUrl: string;
    /** The old key that the new key replaces. */
    readonly replaced: ApiKey | null;
  },
): void {
  const { account, key, made, replaced } = view;
  const isOwn = account.id === context.state.viewer?.accountId;
  sendPage(context, {
    title: 'Your new key',
    content: (
      <>
        <h1>Your new key “{made.name}”</h1>
        <Notice kind="warning">
          <p>
            Copy the key now. It is shown only once: Gatekeeper stores only its SHA-256 and its last four
            characters.
          </p>
        </Notice>
        <section class="panel" aria-labelledby="key-heading">
          <h2 id="key-heading">The key</h2>
          <pre id="new-key">{key}</pre>
          <button type="button" data-act="copy" data-from="new-key" hidden>
            Copy the key
          </button>
          {made.expiresAt !== null && (
            <p>
              It works until <Time at={made.expiresAt} exact="minute" />.
            </p>
          )}
          {replaced && <Replaced replaced={replaced} />}
        </section>
        <section class="panel" aria-labelledby="try-heading">
          <h2 id="try-heading">Try it</h2>
          <pre id="try">{curlExample(view.apiUrl, key)}</pre>
          <button type="button" class="second" data-act="copy" data-from="try" hidden>
            Copy the command
          </button>
          {made.test && (
            <p class="hint">
              Requests with a test key are not counted. The local part of the email decides the answer: low@,
              medium@ or high@ with any domain.
            </p>
          )}
        </section>
        <p>
          <a class="button" href={isOwn ? '/keys' : `/keys?account=${account.id}`}>
            I have copied it
          </a>
        </p>
      </>
    ),
  });
}

function Replaced({ replaced }: { readonly replaced: ApiKey }) {
  if (replaced.revokedAt !== null || replaced.expiresAt === null) {
    return <p>The old key, ending in {replaced.lastFour}, is refused from now on.</p>;
  }
  return (
    <p>
      The old key, ending in {replaced.lastFour}, works until <Time at={replaced.expiresAt} exact="minute" />.
    </p>
  );
}

function NewKeyPanel({ view, csrfToken }: { readonly view: KeysView; readonly csrfToken: string }) {
  const { form, problem, account } = view;
  const lifetimes = LIFETIMES_DAYS.map((days) => ({ value: String(days), label: `in ${days} days` }));
  return (
    <section class="panel" aria-labelledby="new-heading">
      <h2 id="new-heading">New key</h2>
      <ActForm action="/keys" csrfToken={csrfToken}>
        <input type="hidden" name="account" value={account.id} />
        <div class="row">
          <Field
            name="name"
            label="Name"
            placeholder="shop backend"
            value={form.name}
            error={problem ?? undefined}
            maxLength={100}
            autocomplete="off"
            required
          />
          <SelectField
            name="kind"
            label="Kind"
            value={form.test ? 'test' : form.readsGate ? 'gate' : 'live'}
            options={[
              { value: 'live', label: 'live' },
              { value: 'test', label: 'test: fixed answers, not counted' },
              ...(view.isOperator
                ? [{ value: 'gate', label: 'live, scope gate: also reads decisions of the gate' }]
                : []),
            ]}
          />
          <SelectField
            name="ends"
            label="Expiry"
            value={form.endsInDays === null ? '' : String(form.endsInDays)}
            options={[{ value: '', label: 'never' }, ...lifetimes]}
          />
          <button type="submit">Create the key</button>
        </div>
      </ActForm>
    </section>
  );
}

function isUsable({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}
