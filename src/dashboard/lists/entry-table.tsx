import { nameOfPattern } from '../../assessment/pattern.ts';
import { isTemplate } from '../../lists/list-requests.ts';
import type { ListName, StoredListEntry } from '../../storage/lists/list-entry-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { KINDS } from './list-query.ts';

export function EntryTable(props: {
  readonly entries: readonly StoredListEntry[];
  readonly now: number;
  readonly csrfToken: string;
}) {
  return (
    <DataTable
      caption="Entries of the lists, last changed first"
      cards
      columns={['List', 'Entry', 'Kind', 'Note', 'Author', 'Expiry', 'Action']}
    >
      {props.entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <ListBadge list={entry.list} />
          </td>
          <td class="long">{entryName(entry)}</td>
          <td>{KINDS[entry.kind]}</td>
          <td class="long">{entry.note ?? <span class="nothing">none</span>}</td>
          <td>
            <Time at={entry.createdAt} /> <span class="faint">by {entry.authorName}</span>
          </td>
          <td>
            <Ending expiresAt={entry.expiresAt} now={props.now} />
          </td>
          <td>
            <ActForm action="/lists/remove" csrfToken={props.csrfToken}>
              <button
                type="submit"
                class="danger small"
                name="id"
                value={entry.id}
                aria-label={`Remove ${labelOf(entry)} from the ${entry.list} list`}
              >
                Remove
              </button>
            </ActForm>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** The subject of an entry as a page shows it. */
export function entryName({ kind, typed, value }: StoredListEntry) {
  if (kind === 'pattern' && isTemplate(value)) return <>the pattern of a campaign</>;
  if (kind === 'pattern') return <code>{nameOfPattern(value)}</code>;
  if (kind !== 'mailbox') return <code>{value}</code>;
  if (typed !== null) return <code>{typed}</code>;
  return (
    <>
      the mailbox of a decision <code>{value.slice(0, 8)}…</code>
    </>
  );
}

function labelOf({ kind, typed, value }: StoredListEntry): string {
  if (kind === 'pattern') return `the pattern ${value.slice(0, 64)}`;
  return kind === 'mailbox' ? (typed ?? `the mailbox ${value.slice(0, 8)}`) : value;
}

function Ending({ expiresAt, now }: { readonly expiresAt: number | null; readonly now: number }) {
  if (expiresAt === null) return <span class="nothing">never</span>;
  if (expiresAt > now) return <Time at={expiresAt} />;
  return (
    <>
      <span class="badge">ended</span> <Time at={expiresAt} />
    </>
  );
}

export function ListBadge({ list }: { readonly list: ListName }) {
  return <span class={`badge action-${list === 'deny' ? 'block' : 'forward'}`}>{list}</span>;
}
