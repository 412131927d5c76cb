import { MAILBOX_PROVIDER_RULES } from './mailbox-providers.generated.ts';

/** How one provider reads local parts. */
export interface MailboxProvider {
  /**
   * The main domain, when all domains of the provider have the same mailboxes. Null when each domain has its own
   * mailboxes.
   */
  readonly foldsInto: string | null;
  /** Characters of a local part that the provider ignores. */
  readonly ignored: RegExp | null;
  /** The first character of a tag that the provider ignores. */
  readonly tagSeparator: '+' | '-';
  /** Whether `tag@name.domain` reaches `name@domain`. */
  readonly takesSubdomains: boolean;
}

/** Providers by the exact domain of their mailboxes: `data/tables/mailbox-providers.yaml`, with the source of each rule. */
export const MAILBOX_PROVIDERS: ReadonlyMap<string, MailboxProvider> = new Map(
  MAILBOX_PROVIDER_RULES.flatMap(({ domains, ignored, ...rule }) => {
    const provider: MailboxProvider = { ...rule, ignored: ignored === null ? null : anyOf(ignored) };
    return domains.map((domain) => [domain, provider] as const);
  }),
);

/** In a character class, a hyphen means itself only at the end. */
function anyOf(characters: string): RegExp {
  return new RegExp(`[${characters}]`, 'g');
}
