import type { Mailbox } from '../addresses/mailbox.ts';

/** How one provider reads local parts. A rule stands here only when the provider documents it. */
interface ProviderRule {
  /** The domain that its aliases are folded into. */
  readonly domain: string;
  readonly ignoresDots: boolean;
  /** What starts a tag that the provider ignores; null where there are none. */
  readonly tagSeparator: '+' | '-' | null;
}

const GMAIL: ProviderRule = { domain: 'gmail.com', ignoresDots: true, tagSeparator: '+' };
const plusTags = (domain: string): ProviderRule => ({ domain, ignoresDots: false, tagSeparator: '+' });
const dashTags = (domain: string): ProviderRule => ({ domain, ignoresDots: false, tagSeparator: '-' });

const PROVIDER_RULES: ReadonlyMap<string, ProviderRule> = new Map([
  ['gmail.com', GMAIL],
  ['googlemail.com', GMAIL],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com'].map((d) => [d, plusTags(d)] as const),
  ...['fastmail.com', 'fastmail.fm'].map((d) => [d, plusTags(d)] as const),
  ...['proton.me', 'protonmail.com', 'pm.me'].map((d) => [d, plusTags('proton.me')] as const),
  ...['icloud.com', 'me.com', 'mac.com'].map((d) => [d, plusTags('icloud.com')] as const),
  ...['yahoo.com', 'ymail.com', 'rocketmail.com'].map((d) => [d, dashTags(d)] as const),
]);

/**
 * The one name of a mailbox that can be spelled in many ways. Tags are never stripped where the provider has none:
 * that would merge different people.
 */
export function canonicalMailbox(mailbox: Mailbox): string {
  const local = mailbox.localPart.toLowerCase();
  const rule = PROVIDER_RULES.get(mailbox.domain.ascii);
  if (!rule) return `${local}@${mailbox.domain.ascii}`;
  const tag = rule.tagSeparator ? local.indexOf(rule.tagSeparator, 1) : -1;
  const untagged = tag === -1 ? local : local.slice(0, tag);
  return `${rule.ignoresDots ? untagged.replaceAll('.', '') : untagged}@${rule.domain}`;
}
