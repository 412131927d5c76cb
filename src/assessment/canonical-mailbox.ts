import type { Mailbox } from '../addresses/mailbox.ts';
import { MAILBOX_PROVIDERS, type MailboxProvider } from './mailbox-providers.ts';

/** A mailbox as its provider reads it. */
export interface ReadMailbox {
  /** The one name of a mailbox that can be spelled in many ways. */
  readonly canonical: string;
  /** Whether the spelling carries a tag that the provider ignores. */
  readonly isTagged: boolean;
}

/**
 * The one name of a mailbox that can be spelled in many ways: in lower case, composed, unquoted where quotes are not
 * needed, and read by the provider's own rules. Tags are never stripped where the provider is not known to ignore them,
 * and letters are never merged that a mail server tells apart: that would merge different people.
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

/** `anything@jane.fastmail.com` is `jane@fastmail.com`. */
function readSubdomainAddress(domain: string): ReadMailbox | null {
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  if (!MAILBOX_PROVIDERS.get(parent)?.takesSubdomains) return null;
  return { canonical: `${domain.slice(0, dot)}@${parent}`, isTagged: true };
}

/** The local part without the quotes it does not need, in the one spelling of `foldCase`. */
function foldLocalPart(localPart: string): string {
  return foldCase(localPart.startsWith('"') ? unquote(localPart) : localPart);
}

/**
 * Lower case and composed, a letter at a time, and only where the letters are a pair: `É` and `é`. What Unicode folds
 * beyond that (`ß` to `ss`, `ſ` to `s`, the Kelvin sign to `k`, the dotless `ı`, full width) are other mailboxes to
 * a mail server that compares bytes, and may belong to other people.
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

/** NFC puts one letter in the place of another: `K` for the Kelvin sign, `Å` for the Ångström sign. */
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

/** RFC 5321 section 4.1.2: quotes and quoted pairs that are not needed make no other mailbox. */
function unquote(quoted: string): string {
  const content = quoted.slice(1, -1).replace(/\\(.)/gsu, '$1');
  const isDotString = /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/u.test(content);
  return isDotString ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}
