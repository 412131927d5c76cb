import spellChecker from '@zootools/email-spell-checker';
import { MAILBOX_PROVIDERS } from '../../assessment/mailbox-providers.ts';

/** The library's own domains, and those that it knows only as names without a suffix. */
const PROVIDERS = [...spellChecker.POPULAR_DOMAINS, 'hotmail.com', 'outlook.com', 'yahoo.com', 'live.com'];
/** The checker compares with each of its domains; every provider's name is much shorter. */
const MAX_LENGTH = 30;
/** Names of three or four letters differ by one letter from many others: bt.com from qq.com, att.com from aol.com. */
const MIN_NAME = 5;
/** Only in names of this length are two typing mistakes plausible. */
const MIN_NAME_OF_TWO_SLIPS = 8;

/**
 * The provider whose domain this domain probably misspells. The caller excludes the domains of known providers:
 * `email.com` is real.
 * @param domain A-labels.
 */
export function suggestDomain(domain: string): string | null {
  if (domain.length > MAX_LENGTH) return null;
  const suggestion = spellChecker.run({ email: `someone@${domain}`, domains: PROVIDERS })?.domain;
  if (!suggestion || suggestion === domain) return null;
  // The library also corrects suffixes alone (`acme.con` to `acme.co`): only a provider is a finding.
  if (!PROVIDERS.includes(suggestion) && !MAILBOX_PROVIDERS.has(suggestion)) return null;
  const name = suggestion.slice(0, suggestion.indexOf('.'));
  const isNameKept = domain.startsWith(`${name}.`);
  const slips = slipsBetween(domain, suggestion);
  if (slips === 1) return isNameKept || name.length >= MIN_NAME ? suggestion : null;
  return slips === 2 && !isNameKept && name.length >= MIN_NAME_OF_TWO_SLIPS ? suggestion : null;
}

/** Letters that are missing, added, replaced, or swapped with the next one (optimal string alignment). */
function slipsBetween(typed: string, meant: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    for (let j = 1; j <= meant.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (typed[i - 1] === meant[j - 1] ? 0 : 1);
      let slips = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1]) {
        slips = Math.min(slips, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(slips);
    }
    beforeLast = last;
    last = row;
  }
  return last[meant.length] ?? 0;
}
