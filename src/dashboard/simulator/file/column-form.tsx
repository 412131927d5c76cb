import { describeAmbiguous } from '../../../simulation/signup-columns.ts';
import { REQUIRED_FIELDS, SIGNUP_FIELDS, type SignupField } from '../../../simulation/signup-row.ts';
import type { PeekedFile } from '../../../simulation/upload/peek-columns.ts';
import { ActForm } from '../../components/act-form.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { SelectField } from '../../components/field.tsx';

const LABELS: Readonly<Record<SignupField, string>> = {
  time: 'Time of the signup',
  email: 'Email address',
  ip_address: 'IP address',
  user_agent: 'User agent',
  label: 'Fraud or legitimate',
};
const HINTS: Readonly<Partial<Record<SignupField, string>>> = {
  time: 'ISO 8601, or seconds since 1970',
  label: 'fraud or legitimate; or 1 and 0',
};

/** For each field, the name of its column, or an empty text. */
export type ChosenColumns = ReadonlyMap<SignupField, string>;

export interface ColumnFormProps {
  readonly peeked: PeekedFile;
  readonly chosen: ChosenColumns;
  readonly issues: ReadonlyMap<SignupField, string>;
  readonly token: string;
  readonly csrfToken: string;
}

/** The columns of an uploaded file, to confirm or to correct. */
export function ColumnForm({ peeked, chosen, issues, token, csrfToken }: ColumnFormProps) {
  const { columns } = peeked;
  const fieldOf = new Map([...chosen].map(([field, name]) => [name, field] as const));
  const usedAs = (name: string) => {
    const field = fieldOf.get(name);
    return field === undefined ? 'not used' : LABELS[field];
  };
  const options = columns.map(({ name, examples: [first] }) => ({
    value: name,
    label: first === undefined ? name : `${name} (${first})`,
  }));
  return (
    <>
      <ActForm action="/simulator/file/run" csrfToken={csrfToken}>
        <input type="hidden" name="token" value={token} />
        <fieldset class="panel">
          <legend>Columns of the file</legend>
          <div class="row">
            {SIGNUP_FIELDS.map((field) => (
              <SelectField
                key={field}
                name={`column-${field}`}
                label={LABELS[field]}
                hint={HINTS[field]}
                error={issues.get(field)}
                value={chosen.get(field) ?? ''}
                options={[{ value: '', label: isRequired(field) ? 'Choose a column' : 'none' }, ...options]}
              />
            ))}
          </div>
          <p class="act">
            <button type="submit">Simulate this file</button>
          </p>
        </fieldset>
      </ActForm>
      <DataTable
        caption="All columns, with some values partly hidden"
        columns={['Column', 'Used as', 'Values']}
        cards
      >
        {columns.map(({ name, examples }, i) => (
          <tr key={i}>
            <td>{name === '' ? 'without a name' : name}</td>
            <td>{usedAs(name)}</td>
            <td>{examples.length > 0 ? examples.join(', ') : 'empty'}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

/** The fields that were recognised by their names, and the problems of this choice. */
export function recognisedIn({ columns, found }: PeekedFile): Pick<ColumnFormProps, 'chosen' | 'issues'> {
  const chosen = new Map([...found.places].map(([field, place]) => [field, columns[place]?.name ?? '']));
  const issues = new Map(
    found.ambiguous.map((twofold) => [twofold.field, `${describeAmbiguous(twofold)}. Choose one.`]),
  );
  return { chosen, issues };
}

/** The problems of a choice. */
export function mistakesIn({ columns }: PeekedFile, chosen: ChosenColumns): ReadonlyMap<SignupField, string> {
  const issues = new Map<SignupField, string>();
  for (const field of SIGNUP_FIELDS) {
    const name = chosen.get(field) ?? '';
    const alike = columns.filter((column) => column.name === name).length;
    const other = [...chosen].find(([one, itsName]) => one !== field && itsName === name);
    if (name === '' && isRequired(field)) issues.set(field, 'Choose the column that has it.');
    else if (name !== '' && alike === 0) issues.set(field, 'The file has no such column.');
    else if (name !== '' && alike > 1) issues.set(field, `${name} occurs twice. Rename one in the file.`);
    else if (name !== '' && other) issues.set(field, 'Two fields cannot have the same column.');
  }
  return issues;
}

function isRequired(field: SignupField): boolean {
  return REQUIRED_FIELDS.some((required) => required === field);
}
