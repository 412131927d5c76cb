import type { Mailbox } from '../addresses/email-address.ts';
import { MAILBOX_PROVIDERS, type MailboxProvider } from './mailbox-providers.ts';

/** A mailbox by the rules of its provider. */
export interface ReadMailbox {
  /** The canonical spelling of the mailbox. */
  readonly canonical: string;
  /** Whether the spelling carries a tag that the provider ignores. */
  readonly isTagged: boolean;
}

/**
 * The canonical spelling of a mailbox: lower case, composed, without unnecessary quotes, and by the provider's rules. A
 * tag is removed only when the provider is known to ignore tags. Letters are merged only when no mail server
 * distinguishes them. Otherwise two people could get the same spelling.
 */
export function canonicalMailbox(mailbox: Mailbox): string {
  return readMailbox(mailbox).canonical;
}

export function readMailbox({ localPart, domain }: Mailbox): ReadMailbox {
  const local = foldLocalPart(localPart);
  const provider = MAILBOX_PROVIDERS.get(domain.ascii);
  if (provider) return readByProvider(local, domain.ascii, provider);
  const subdomain = readSubdomainAddress(domain.ascii);
  return subdomain ?? { canonical: `${local}@${domain.ascii}`, isTagged: false };
}

function readByProvider(local: string, domain: string, provider: MailboxProvider): ReadMailbox {
  if (local.startsWith('"'))
    return { canonical: `${local}@${provider.foldsInto ?? domain}`, isTagged: false };
  const separator = local.indexOf(provider.tagSeparator, 1);
  const untagged = separator === -1 ? local : local.slice(0, separator);
  const name = (provider.ignored && untagged.replace(provider.ignored, '')) || untagged;
  return { canonical: `${name}@${provider.foldsInto ?? domain}`, isTagged: separator !== -1 };
}

/** Reads `anything@jane.fastmail.com` as `jane@fastmail.com`. */
function readSubdomainAddress(domain: string): ReadMailbox | null {
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  if (!MAILBOX_PROVIDERS.get(parent)?.takesSubdomains) return null;
  return { canonical: `${domain.slice(0, dot)}@${parent}`, isTagged: true };
}

/** The local part without unnecessary quotes, case folded by `foldCase`. */
function foldLocalPart(localPart: string): string {
  return foldCase(localPart.startsWith('"') ? unquote(localPart) : localPart);
}

/**
 * Makes letters lower case and composed, one by one, and only for pairs such as `É` and `é`. The other Unicode foldings
 * (`ß` to `ss`, `ſ` to `s`, the Kelvin sign to `k`, the dotless `ı`, full width) give another mailbox for a mail server
 * that compares bytes, and it may belong to another person.
 */
export function foldCase(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII, controls included
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  let run = '';
  for (const letter of text) {
    if (isReplacedByComposing(letter)) {
      folded += foldRun(run) + letter;
      run = '';
    } else {
      run += letter;
    }
  }
  return folded + foldRun(run);
}

/** NFC replaces some letters: the Kelvin sign becomes `K`, the Ångström sign `Å`. */
function isReplacedByComposing(letter: string): boolean {
  const composed = letter.normalize('NFC');
  return composed !== letter && [...composed].length === 1;
}

function foldRun(run: string): string {
  return Array.from(run.normalize('NFC'), (letter) => {
    const lower = letter.toLowerCase();
    return lower.toUpperCase() === letter ? lower : letter;
  })
    .join('')
    .normalize('NFC');
}

/** RFC 5321 section 4.1.2: unnecessary quotes and quoted pairs do not change the mailbox. */
function unquote(quoted: string): string {
  const content = quoted.slice(1, -1).replace(/\\(.)/gsu, '$1');
  const isDotString = /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/u.test(content);
  return isDotString ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}
