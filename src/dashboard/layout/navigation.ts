import type { Role } from '../../storage/accounts/account-store.ts';

/** The pages in the navigation, in their order. */
export const NAVIGATION: readonly {
  readonly href: string;
  readonly label: string;
  readonly operatorsOnly?: true;
  /** Whether support sees this page too. It sees no other pages. */
  readonly forSupport?: true;
}[] = [
  { href: '/overview', label: 'Overview' },
  { href: '/decisions', label: 'Decisions', forSupport: true },
  { href: '/review', label: 'Review', operatorsOnly: true, forSupport: true },
  { href: '/campaigns', label: 'Campaigns', operatorsOnly: true },
  { href: '/lists', label: 'Lists', operatorsOnly: true },
  { href: '/routes', label: 'Routes', operatorsOnly: true },
  { href: '/simulator', label: 'Simulator', operatorsOnly: true },
  { href: '/keys', label: 'Keys' },
  { href: '/usage', label: 'Usage' },
  { href: '/accounts', label: 'Accounts', operatorsOnly: true },
  { href: '/audit', label: 'Audit', operatorsOnly: true },
];

/** Whether a role has the page in its navigation. */
export function isShownTo(role: Role, { operatorsOnly, forSupport }: (typeof NAVIGATION)[number]): boolean {
  if (role === 'support') return forSupport === true;
  return role === 'operator' || !operatorsOnly;
}
