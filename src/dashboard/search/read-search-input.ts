import { bareAddresses, type Mailbox, parseMailbox } from '../../addresses/email-address.ts';
import { quotedRequest, readSearchText } from './read-search-text.ts';

/** What a user searches for: a mailbox, or a text that a URL may contain. */
export type SearchInput = { readonly mailbox: Mailbox } | { readonly text: string };

/** People with a Japanese or Chinese keyboard type the wide form. */
const OTHER_AT_SIGNS = /[\uff20\ufe6b]/g;
const WHOLE_KEY = /gk_(?:live|test)_\w{8,}/;
/** What ends a sentence, and no address. */
const SENTENCE_END = /(?<![.!?…])[.!?…]+$/;

/**
 * Reads the text of the search box. No URL may contain a key or an address, so a text with a key is searched by the last
 * four characters of the key. A sentence with an address is searched by the request that it names, else by its address.
 * @returns null for a text with an at sign that has none of these: a part of an address is not a query either.
 */
export function readSearchInput(typed: string, now: number): SearchInput | null {
  const [key] = WHOLE_KEY.exec(typed) ?? [];
  if (key !== undefined) return { text: key.slice(-4) };
  const { text } = readSearchText(typed.replace(OTHER_AT_SIGNS, '@'), now);
  const mailbox = parseMailbox(withoutName(text));
  if (mailbox) return { mailbox };
  // With an at sign at its beginning alone, the text is a domain.
  if (text.lastIndexOf('@') <= 0) return { text };
  const words = text.split(/\s+/).filter((word) => !word.includes('@'));
  const request = quotedRequest(words.join(' '), now);
  return request === null ? onlyMailbox(text) : { text: request };
}

/** The mailbox of a sender as mail programs copy it: `Jane Doe <jane@shop.example>`, `mailto:jane@shop.example`. */
function withoutName(text: string): string {
  return /^(?:.*<|mailto:)([^<>\s@]+@[^<>\s@]+)>?\s*$/i.exec(text)?.[1] ?? text;
}

/** Null when a sentence has several mailboxes: the search box has room for one. */
function onlyMailbox(sentence: string): SearchInput | null {
  const addresses = new Set(bareAddresses(sentence).map((address) => address.replace(SENTENCE_END, '')));
  const [address = ''] = addresses;
  const mailbox = addresses.size === 1 ? parseMailbox(address) : null;
  return mailbox && { mailbox };
}
