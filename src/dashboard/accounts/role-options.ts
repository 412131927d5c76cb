import type { Role } from '../../storage/accounts/account-store.ts';

/** The roles of a form, with their rights. */
export const ROLE_OPTIONS: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'member', label: 'member: sees its own account' },
  { value: 'support', label: 'support: sees decisions and the review desk' },
  { value: 'operator', label: 'operator: sees and changes everything' },
];

/** The role that a form names. For an unknown text, the role with the fewest rights. */
export function roleNamed(text: string): Role {
  return ROLE_OPTIONS.find(({ value }) => value === text)?.value ?? 'member';
}
