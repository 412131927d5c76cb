import { ActForm } from '../components/act-form.tsx';
import { ExpiryField } from '../components/expiry-field.tsx';
import { Field, SelectField, TextAreaField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import type { LineIssue } from './read-list-text.ts';

/** The form as it was posted. */
export interface AddForm {
  readonly entries: string;
  readonly list: 'allow' | 'deny';
  readonly note: string;
  /** The number of days until the entries expire. Empty: they do not expire. */
  readonly ends: string;
  /** Whether the user saw and confirmed the warnings about entries that match many people. */
  readonly isConfirmed: boolean;
}

export interface AddView {
  readonly form: AddForm;
  readonly issues: readonly LineIssue[];
  /** Warnings about entries that match many people, as sentences. */
  readonly farReaching: readonly string[];
}

export const EMPTY_FORM: AddForm = {
  entries: '',
  list: 'deny',
  note: '',
  ends: '',
  isConfirmed: false,
};

const ISSUES_SHOWN = 100;

/** The form for one entry, many entries, or a file. */
export function AddPanel({ adding, csrfToken }: { readonly adding: AddView; readonly csrfToken: string }) {
  const { form, issues, farReaching } = adding;
  return (
    <section class="panel" aria-labelledby="add-heading" id="add">
      <h2 id="add-heading">Add entries</h2>
      {issues.length > 0 && <Issues issues={issues} />}
      <ActForm action="/lists" csrfToken={csrfToken}>
        {farReaching.length > 0 && <FarReaching sentences={farReaching} />}
        <TextAreaField
          name="entries"
          label="Entries, one per line"
          hint="Examples: someone@example.net, bad.example (with its subdomains), 203.0.113.7, 203.0.113.0/24, AS64500, a country code such as XK, or a pattern of mailboxes such as pattern:promo.user#. Text after # is a note. CSV works too, with the columns entry, list, note and ends."
          value={form.entries}
          rows={4}
          required
        />
        <p>
          <label for="entries-file" hidden data-import>
            Or choose a file:{' '}
          </label>
          <input
            id="entries-file"
            type="file"
            accept=".txt,.csv,text/plain,text/csv"
            data-into="entries"
            hidden
            data-import
          />
        </p>
        <div class="row">
          <SelectField
            name="list"
            label="List"
            value={form.list}
            options={[
              { value: 'deny', label: 'deny' },
              { value: 'allow', label: 'allow' },
            ]}
          />
          <ExpiryField days={form.ends} />
          <Field name="note" label="Note" value={form.note} maxLength={500} />
          <button type="submit">{farReaching.length > 0 ? 'Add anyway' : 'Add'}</button>
        </div>
      </ActForm>
    </section>
  );
}

function Issues({ issues }: { readonly issues: readonly LineIssue[] }) {
  const more = issues.length - ISSUES_SHOWN;
  return (
    <Notice kind="error">
      <p>Nothing was added. {issues.length === 1 ? 'One line' : `${issues.length} lines`} cannot be read:</p>
      <ul>
        {issues.slice(0, ISSUES_SHOWN).map(({ line, message }) => (
          <li key={line}>
            Line {line}: {message}
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
    </Notice>
  );
}

function FarReaching({ sentences }: { readonly sentences: readonly string[] }) {
  const more = sentences.length - ISSUES_SHOWN;
  return (
    <Notice kind="warning">
      <p>Nothing was added yet. These entries match many people:</p>
      <ul>
        {sentences.slice(0, ISSUES_SHOWN).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
      <p>
        <label class="choice">
          <input type="checkbox" name="confirmed" required /> I want to add these entries
        </label>
      </p>
    </Notice>
  );
}
