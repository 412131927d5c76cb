/** The pages in the navigation, in their order. */
export const NAVIGATION: readonly {
  readonly href: string;
  readonly label: string;
  readonly operatorsOnly?: true;
}[] = [
  { href: '/overview', label: 'Overview' },
  { href: '/decisions', label: 'Decisions' },
  { href: '/campaigns', label: 'Campaigns', operatorsOnly: true },
  { href: '/lists', label: 'Lists', operatorsOnly: true },
  { href: '/simulator', label: 'Simulator', operatorsOnly: true },
  { href: '/keys', label: 'Keys' },
  { href: '/usage', label: 'Usage' },
  { href: '/accounts', label: 'Accounts', operatorsOnly: true },
  { href: '/audit', label: 'Audit', operatorsOnly: true },
];
