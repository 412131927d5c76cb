import { SelectField } from './field.tsx';

const DAYS = [
  { value: '', label: 'never' },
  { value: '1', label: 'in 1 day' },
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in 1 year' },
];

/**
 * The expiry of new list entries: the field `ends`, which `endOf` of `add-to-lists.ts` reads.
 * @param props.days The number of days that is selected. Empty: the entries do not expire.
 */
export function ExpiryField({ days }: { readonly days: string }) {
  return <SelectField name="ends" label="Expiry" value={days} options={DAYS} />;
}
