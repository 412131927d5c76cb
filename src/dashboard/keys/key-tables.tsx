import type { Account } from '../../storage/accounts/account-store.ts';
import type { ApiKey } from '../../storage/keys/api-key-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { DEFAULT_OVERLAP, OVERLAPS } from './key-form.ts';

const ENDED_SHOWN = 100;
const REQUESTS = 'Requests';

export function UsableKeys(props: {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
  readonly usage: ReadonlyMap<string, number>;
  readonly csrfToken: string;
}) {
  const { account, keys, usage, csrfToken } = props;
  return (
    <DataTable
      caption="Active keys"
      cards
      columns={['Name', 'Key', 'Creation', 'Expiry', 'Last use', REQUESTS, 'Replacement', 'Revocation']}
      numeric={[REQUESTS]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="long">{key.name}</td>
          {keyCell(key)}
          <td>
            <Time at={key.createdAt} />
          </td>
          <td>{key.expiresAt === null ? <span class="nothing">never</span> : <Time at={key.expiresAt} />}</td>
          <td>
            {key.lastUsedAt === null ? <span class="nothing">never</span> : <Time at={key.lastUsedAt} />}
          </td>
          {usedCell(key, usage)}
          <td>
            <ActForm action="/keys/rotate" csrfToken={csrfToken}>
              <input type="hidden" name="account" value={account.id} />
              <select name="overlap" aria-label={`End of the old key “${key.name}” after replacing it`}>
                {Object.entries(OVERLAPS).map(([value, { label }]) => (
                  <option key={value} value={value} selected={value === DEFAULT_OVERLAP}>
                    {label}
                  </option>
                ))}
              </select>{' '}
              <button
                type="submit"
                class="second small"
                name="id"
                value={key.id}
                aria-label={`Replace ${key.name}, ending in ${key.lastFour}`}
              >
                Replace
              </button>
            </ActForm>
          </td>
          <td>
            <ActForm action="/keys/revoke" csrfToken={csrfToken}>
              <input type="hidden" name="account" value={account.id} />
              <button
                type="submit"
                class="danger small"
                name="id"
                value={key.id}
                aria-label={`Revoke ${key.name}, ending in ${key.lastFour}`}
                data-confirm={`Revoke “${key.name}”? Requests with this key are refused at once.`}
              >
                Revoke
              </button>
            </ActForm>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

export function EndedKeys(props: {
  readonly keys: readonly ApiKey[];
  readonly usage: ReadonlyMap<string, number>;
}) {
  const more = props.keys.length - ENDED_SHOWN;
  return (
    <details>
      <summary>Revoked and expired keys ({props.keys.length})</summary>
      <DataTable
        caption="Revoked and expired keys"
        cards
        columns={['Name', 'Key', 'Creation', 'Expiry', 'Last use', REQUESTS]}
        numeric={[REQUESTS]}
      >
        {props.keys.slice(0, ENDED_SHOWN).map((key) => (
          <tr key={key.id}>
            <td class="long">{key.name}</td>
            {keyCell(key)}
            <td>
              <Time at={key.createdAt} />
            </td>
            <td>
              {key.revokedAt === null ? 'expired ' : 'revoked '}
              <Time at={key.revokedAt ?? key.expiresAt ?? key.createdAt} />
            </td>
            <td>
              {key.lastUsedAt === null ? <span class="nothing">never</span> : <Time at={key.lastUsedAt} />}
            </td>
            {usedCell(key, props.usage)}
          </tr>
        ))}
      </DataTable>
      {more > 0 && <p>And {more} older ones.</p>}
    </details>
  );
}

/** A cell, not a component: the table writes the name of the column at each cell of a card. */
function keyCell({ test, scope, lastFour }: ApiKey) {
  return (
    <td class="short">
      <code>
        gk_{test ? 'test' : 'live'}_…{lastFour}
      </code>
      {scope !== null && ` scope ${scope}`}
    </td>
  );
}

function usedCell({ test, id }: ApiKey, usage: ReadonlyMap<string, number>) {
  return (
    <td class="number">
      {test ? <span class="nothing">not counted</span> : (usage.get(id) ?? 0).toLocaleString('en')}
    </td>
  );
}
