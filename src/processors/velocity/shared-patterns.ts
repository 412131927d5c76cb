import type { Attempt } from '../../assessment/attempt.ts';
import { literalPattern, localPartTemplate } from '../../assessment/identity.ts';

/**
 * The number of different mailboxes with one text from which the text counts as that of a generator. Then it identifies
 * no person.
 */
const NAMED_FROM = 5;
/** The number of texts that are kept, about 300 bytes each. */
const MAX_TEXTS = 2_000;

/** Finds the text that the mailboxes of one template have in common. */
export interface SharedPatterns {
  /**
   * The pattern of the attempt's local part: its text with `#` for numbers, `promo.user#`, when enough different
   * mailboxes recently had it in this process. Else the template, `~w.w#4`. Null without a template.
   */
  nameOf(attempt: Pick<Attempt, 'email' | 'identity'>): string | null;
}

/** Called only for templates that many mailboxes have. */
export function createSharedPatterns(): SharedPatterns {
  const mailboxesOf = new Map<string, Set<string>>();
  return {
    nameOf({ email: { mailbox }, identity }) {
      const template = mailbox && localPartTemplate(mailbox.localPart);
      const text = mailbox && literalPattern(mailbox.localPart);
      if (!template || !text || identity.mailbox === null) return null;
      const mailboxes = mailboxesOf.get(text) ?? new Set();
      // The texts seen last are at the end.
      mailboxesOf.delete(text);
      mailboxesOf.set(text, mailboxes);
      if (mailboxes.size < NAMED_FROM) mailboxes.add(identity.mailbox);
      const [oldest] = mailboxesOf.keys();
      if (mailboxesOf.size > MAX_TEXTS && oldest !== undefined) mailboxesOf.delete(oldest);
      return mailboxes.size >= NAMED_FROM ? text : shapeOf(template);
    },
  };
}

/** A template with a fixed text that few mailboxes have is not named. */
function shapeOf(template: string): string | null {
  return template.startsWith('~') ? template : null;
}
