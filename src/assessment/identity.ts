import { hash } from 'node:crypto';
import type { Mailbox } from '../addresses/email-address.ts';
import { type IpAddress, networkOf } from '../addresses/ip-address.ts';
import { canonicalMailbox, foldCase } from './canonical-mailbox.ts';
import { COMMON_NAMES } from './common-names.generated.ts';
import { spellingStyle } from './spelling-style.ts';

/** A keyed hash of a value, 22 characters of base64url (128 bits). The same value and secret give the same text. */
export type Pseudonymize = (value: string) => string;

/**
 * The pseudonyms under which an attempt is counted and stored. They contain no plain address of a person. The domain
 * and the truncated network are plain on purpose; all others are keyed hashes.
 */
export interface AttemptIdentity {
  /** The canonical mailbox: all spellings of one mailbox have one hash. Null without a mailbox. */
  readonly mailbox: string | null;
  /**
   * The mailbox with the typing mistake, when the same person then accepted a suggested email. Windows of distinct
   * mailboxes count both as one mailbox. Left out: as `mailbox`.
   */
  readonly countedAs?: string | undefined;
  /** The email as spelled, case folded. It differs from `mailbox` when dots or tags were used. */
  readonly spelling: string | null;
  /** The registrable domain. The whole domain when it has no registrable part. */
  readonly domain: string | null;
  readonly ip: string;
  /** The /64 network of an IPv6 address, which is one site. Null for IPv4. */
  readonly site: string | null;
  /** The /24 or /48 network in plain text: `203.0.113.0/24`. */
  readonly network: string;
  /** The user agent as sent. Null when missing. */
  readonly userAgent: string | null;
  /** The pattern of the local part. Null when the pattern is too common to count. */
  readonly template: string | null;
  /**
   * How the local part is spelled: see `spellingStyle`. Null without a mailbox, and in decisions that are older than
   * this field.
   */
  readonly style: string | null;
  /** The mail server of an own domain, if the DNS was asked. Only stored decisions have it. */
  readonly mailServer?: string | undefined;
}

/**
 * SHA-256 over secret and value. An HMAC costs four times as much (4.1 µs instead of 1 µs). It would protect against
 * length extension, but this attack is impossible here, because the output is truncated to half.
 * @param secret At least 16 characters; with the secret, an attacker can test guesses.
 */
export function createPseudonymizer(secret: string): Pseudonymize {
  return (value) => hash('sha256', `${secret}\n${value}`, 'base64url').slice(0, 22);
}

/** The facts from which pseudonyms are made. */
export interface IdentifyingFacts {
  /** The mistyped mailbox that this one replaces. */
  readonly corrects?: Mailbox | null;
  readonly email: { readonly mailbox: Mailbox | null };
  readonly ip: IpAddress;
  readonly userAgent: string | null;
}

export function identify(facts: IdentifyingFacts, pseudonymize: Pseudonymize): AttemptIdentity {
  const mailbox = facts.email.mailbox;
  const template = mailbox && localPartTemplate(mailbox.localPart);
  const hashes = mailbox && identifyMailbox(mailbox, pseudonymize);
  const identity = {
    // The fields are named one by one. Spreading the two objects costs 6 µs, more than all hashes together.
    mailbox: hashes?.mailbox ?? null,
    spelling: hashes?.spelling ?? null,
    domain: mailbox && (mailbox.domain.registrable ?? mailbox.domain.ascii),
    ip: pseudonymize(`ip ${facts.ip.text}`),
    site: facts.ip.family === 6 ? pseudonymize(`site ${networkOf(facts.ip, 64).text}`) : null,
    network: truncatedNetwork(facts.ip),
    userAgent: facts.userAgent && pseudonymize(`user agent ${facts.userAgent}`),
    template: template && pseudonymize(`template ${withoutSeparators(template)}`),
    style: mailbox && spellingStyle(mailbox.localPart),
  };
  if (!facts.corrects) return identity;
  return { ...identity, countedAs: identifyMailbox(facts.corrects, pseudonymize).mailbox };
}

/** The pseudonyms under which a mailbox is stored. The erasure of a person finds decisions by them. */
export function identifyMailbox(
  mailbox: Mailbox,
  pseudonymize: Pseudonymize,
): { readonly mailbox: string; readonly spelling: string } {
  const canonical = canonicalMailbox(mailbox);
  const spelled = `${foldCase(mailbox.localPart)}@${mailbox.domain.ascii}`;
  const mailboxHash = mailboxPseudonym(canonical, pseudonymize);
  return {
    mailbox: mailboxHash,
    spelling: spelled === canonical ? mailboxHash : pseudonymize(`spelling ${spelled}`),
  };
}

/** The pseudonym under which a canonical mailbox is counted, stored and listed. */
export function mailboxPseudonym(canonical: string, pseudonymize: Pseudonymize): string {
  return pseudonymize(`mailbox ${canonical}`);
}

/** The network that is stored in plain text: wide enough for many people, narrow enough to show a campaign. */
export function truncatedNetwork(ip: IpAddress): string {
  const prefixLength = ip.family === 4 ? 24 : 48;
  return `${networkOf(ip, prefixLength).text}/${prefixLength}`;
}

/** Digits that ordinary people add when a name is already used: an age, a short number, a year of birth. */
const ORDINARY_NUMBER = /^(\d{1,3}|19[3-9]\d|20[0-2]\d)$/;
const LONG_NUMBER = /^(?!19[3-9]\d$|20[0-2]\d$)\d{4,}$/;

/**
 * The pattern of a local part, for counting how many mailboxes share it. Pure.
 *
 * There are three kinds of patterns, each rare among people who do not know one another:
 * - a fixed text with a number: `user17` and `user1002` are `user#`;
 * - several words with a long number that is not a year, whatever the words: `anna.k.8831` and `bert.m.1207` are
 * `~w.l.#4`, because bulk accounts are made from lists of names with random digits;
 * - mixed letters and digits, by length and alphabet: `x7k2p9q4` is `~alnum:8`.
 * @returns null when the pattern is common: no number, a number alone (as QQ and mobile carriers assign), or a common
 *   name with a short number or a year.
 */
export function localPartTemplate(localPart: string): string | null {
  const text = isAscii(localPart) ? localPart.toLowerCase() : folded(localPart);
  if (!/[0-9]/.test(text) || !/\p{L}/u.test(text)) return null;
  return mixedTemplate(text) ?? wordsTemplate(text) ?? literalTemplate(text);
}

/** Patterns are compared like this, since a generator can change the separators: `trial.user1001`, `trial_user-1002`. */
export function withoutSeparators(pattern: string): string {
  return pattern.replace(/[._-]/g, '');
}

/** The local part with `#` for each number, `promo.user#`. Null without a number or a letter. Pure. */
export function literalPattern(localPart: string): string | null {
  const text = isAscii(localPart) ? localPart.toLowerCase() : folded(localPart);
  return /[0-9]/.test(text) && /\p{L}/u.test(text) ? text.replace(/\d+/g, '#') : null;
}

/**
 * One run of letters and digits without a separator. In it, letters and digits alternate more often than in a word with
 * a number.
 */
function mixedTemplate(text: string): string | null {
  if (text.length < 6 || !/^[a-z0-9]+$/.test(text)) return null;
  const alphabet = /^[0-9a-f]+$/.test(text) ? 'hex' : 'alnum';
  const digitRuns = text.match(/\d+/g)?.length ?? 0;
  const longestWord = Math.max(...(text.match(/[a-z]+/g) ?? []).map((word) => word.length));
  const isMixed =
    digitRuns >= 3 ||
    (digitRuns === 2 && alphabet === 'hex') ||
    (longestWord <= 3 && /[a-z]\d+[a-z]|^\d+[a-z]+\d/.test(text));
  return isMixed ? `~${alphabet}:${text.length}` : null;
}

/** At least two words, then a long number, joined by any separators. */
function wordsTemplate(text: string): string | null {
  const match = /^((?:\p{L}+[._-]+)+\p{L}*)(\d+)$/u.exec(text);
  const [, words = '', number = ''] = match ?? [];
  if (!LONG_NUMBER.test(number) || (words.match(/\p{L}+/gu)?.length ?? 0) < 2) return null;
  return `~${words.replace(/\p{L}+/gu, (word) => (word.length === 1 ? 'l' : 'w'))}#${number.length}`;
}

function literalTemplate(text: string): string | null {
  const [, word = '', number = ''] = /^(\p{L}+)[._-]?(\d+)$/u.exec(text) ?? [];
  if (COMMON_NAMES.has(word) && ORDINARY_NUMBER.test(number)) return null;
  return text.replace(/\d+/g, '#');
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function folded(localPart: string): string {
  return localPart
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** In Unicode, the ten digits of each script are together. They start with zero at a multiple of ten or sixteen. */
function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  const value = zero;
  while (value - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(value - zero);
}
