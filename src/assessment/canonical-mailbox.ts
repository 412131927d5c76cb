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
 * The one name of a mailbox that can be spelled in many ways: case folded, NFC, unquoted where quotes are not needed,
 * and read by the provider's own rules. Tags are never stripped where the provider is not known to ignore them: that
 * would merge different people.
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

/** Upper and then lower case folds what lower case alone keeps apart: `ß` and `SS`. A sigma's form hangs on its neighbours. */
function foldLocalPart(localPart: string): string {
  const local = localPart.startsWith('"') ? unquote(localPart) : localPart;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII, controls included
  if (/^[\x00-\x7f]*$/.test(local)) return local.toLowerCase();
  const visible = local.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** RFC 5321 section 4.1.2: quotes and quoted pairs that are not needed make no other mailbox. */
function unquote(quoted: string): string {
  const content = quoted.slice(1, -1).replace(/\\(.)/gsu, '$1');
  const isDotString = /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/u.test(content);
  return isDotString ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}
