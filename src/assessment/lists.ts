import type { Attempt } from './attempt.ts';
import type { ListEntry } from './list-entry.ts';
import { createListIndex, type ListIndex, type ListMatch, type Locate } from './list-index.ts';
import type { Finding } from './processor.ts';
import type { ListVerdict } from './score.ts';

export interface ListMatcher {
  /** The revision of the lists that change; empty when they are empty or missing. */
  readonly revision: string;
  /** Every entry that matches this attempt. For each factor and verdict, only one entry is reported. */
  match(attempt: Attempt): readonly ListVerdict[];
  /**
   * The finding about a denied pattern; null when none matches. It overrides no other result. Its strongest effect is a
   * verification, because an attacker can choose a mailbox with any pattern, and an ordinary person can have one.
   */
  matchPattern(attempt: Attempt): Finding | null;
}

/** An allow and a deny list. */
export interface Lists {
  readonly allow: ListIndex;
  readonly deny: ListIndex;
}

/** Lists that change while they are used. */
export interface ChangingLists extends Lists {
  /**
   * A text that identifies the present content. Empty when the lists are empty. It is part of the policy's revision.
   */
  readonly revision: string;
}

const NONE: readonly ListVerdict[] = [];

/**
 * The lists of a configuration together with the lists that change, matched as one. An entry of the configuration is
 * reported first.
 */
export function compileLists(
  entries: Readonly<Record<'allow' | 'deny', readonly ListEntry[]>>,
  locate: Locate,
  changing: ChangingLists | null = null,
): ListMatcher {
  const configured = createLists(entries);
  const sources = changing ? [configured, changing] : [configured];
  return {
    get revision() {
      return changing?.revision ?? '';
    },
    match(attempt) {
      if (sources.every(({ allow, deny }) => allow.size === 0 && deny.size === 0)) return NONE;
      const verdicts: ListVerdict[] = [];
      const first = (of: (lists: Lists) => ListMatch | null): ListMatch | null => {
        for (const lists of sources) {
          const found = of(lists);
          if (found !== null) return found;
        }
        return null;
      };
      const add = (verdict: ListVerdict['verdict'], code: ListVerdict['code'], match: ListMatch | null) => {
        if (match) verdicts.push({ verdict, code, evidence: match.evidence, fields: match.fields });
      };
      add(
        'denied',
        'denylisted_email',
        first(({ deny }) => deny.matchEmail(attempt)),
      );
      add(
        'denied',
        'denylisted_ip',
        first(({ deny }) => deny.matchIp(attempt, locate)),
      );
      add(
        'denied',
        'denied_country',
        first(({ deny }) => deny.matchCountry(attempt, locate)),
      );
      add(
        'allowed',
        'allowlisted_email',
        first(({ allow }) => allow.matchEmail(attempt)),
      );
      if (!mayHideDeniedEmail(attempt, sources)) {
        add(
          'allowed',
          'allowlisted_ip',
          first(({ allow }) => allow.matchIp(attempt, locate)) ??
            first(({ allow }) => allow.matchCountry(attempt, locate)),
        );
      }
      return verdicts;
    },
    matchPattern(attempt) {
      for (const { deny } of sources) {
        if (deny.size === 0) continue;
        const match = deny.matchPattern(attempt);
        if (match) return { code: 'denylisted_pattern', ...match, shared: true };
      }
      return null;
    },
  };
}

/**
 * Deny overrides allow, but no denied entry can match an email that is not one mailbox (`a@bad.example,b@good.example`).
 * An app may write to one of its addresses. So an allowed network does not override the score of such an email.
 */
function mayHideDeniedEmail({ email }: Attempt, sources: readonly Lists[]): boolean {
  const isUnreadable = email.mailbox === null && email.problem === 'syntax';
  return isUnreadable && sources.some(({ deny }) => deny.namesEmails);
}

/** One list of each kind, with entries that do not expire. */
export function createLists(entries: Readonly<Record<'allow' | 'deny', readonly ListEntry[]>>): Lists {
  const lists = { allow: createListIndex(), deny: createListIndex() };
  for (const entry of entries.allow) lists.allow.add(entry, null);
  for (const entry of entries.deny) lists.deny.add(entry, null);
  return lists;
}
