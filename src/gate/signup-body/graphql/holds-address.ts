/** Servers normalize these characters to `@`, so they count as one. */
const AT = /[@\uff20\ufe6b]/;
/** `jane@example.com`, with a character other than `@` at both ends. */
const ADDRESS = /^[^\s@\uff20\ufe6b]\S*[^\s@\uff20\ufe6b]$/;
/** `Jane <jane@example.com>` */
const NAMED_ADDRESS = /<[^<>\s@\uff20\ufe6b]+[@\uff20\ufe6b][^<>\s@\uff20\ufe6b]+>$/;
/** `"Jane Doe"@example.com` */
const QUOTED_ADDRESS = /^"[^"]*"[@\uff20\ufe6b]\S+$/;
const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Four times the length of an address (RFC 5321 section 4.5.3.1), for a name beside it. */
const MAX_CHARACTERS = 1_280;

/**
 * Whether a value, or a value inside it, is a mailbox that is not in the list. A text with an address among other words
 * does not count. Each line of a text, and each member of a list in it, is checked separately.
 * @param except In lower case.
 */
export function holdsAddress(value: unknown, except: ReadonlySet<string>): boolean {
  if (typeof value === 'string') {
    if (!AT.test(value)) return false;
    return value.split(/[\r\n,;]/).some((part) => isAddress(part.trim(), except));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => holdsAddress(member, except));
}

function isAddress(text: string, except: ReadonlySet<string>): boolean {
  if (text.length > MAX_CHARACTERS || !AT.test(text) || except.has(text.toLowerCase())) return false;
  if (URL_SCHEME.test(text)) return false;
  return ADDRESS.test(text) || NAMED_ADDRESS.test(text) || QUOTED_ADDRESS.test(text);
}
