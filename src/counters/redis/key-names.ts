import { hash } from 'node:crypto';
import type { CounterDimension } from '../counters.ts';

/** Names keys and members. Without the secret, the names on the server cannot be read or guessed. */
export interface KeyNames {
  windowKey(dimension: CounterDimension, key: string, tagOf: string): string;
  limitKey(kind: string, key: string): string;
  member(text: string): string;
}

/** The version of the scripts. During an upgrade of several nodes, the two versions count separately. */
export const PREFIX = 'gk1:';

const LETTERS: Readonly<Record<CounterDimension, string>> = {
  ip: 'i',
  subnet: 'n',
  site: 's',
  mailbox: 'm',
  domain: 'd',
  colleagues: 'c',
  device: 'u',
  template: 't',
};
/** The length of the tag: 24 bits, more than the 16,384 slots of a cluster. */
const TAG_CHARACTERS = 4;
/** The length of the key: 66 bits. */
const KEY_CHARACTERS = 11;
/** The length of a member: 36 bits. Of 2^36 pairs of members of one key, one pair has the same name. */
export const MEMBER_CHARACTERS = 6;

/**
 * `gk1:{tag}` and 12 characters. The tag in braces selects the slot in a cluster, so that the keys of one network are
 * on one server. Truncated SHA-256 of secret and text, 0.6 µs each: without the secret, domains could be guessed.
 *
 * @param secret All nodes must have the same secret. Otherwise they count separately.
 */
export function createKeyNames(secret: string): KeyNames {
  const salt = hash('sha256', `counters\n${secret}`, 'base64url');
  const digest = (text: string) => hash('sha256', `${salt}\n${text}`, 'base64url');
  const name = (letter: string, tag: string, digested: string) =>
    `${PREFIX}{${tag.slice(0, TAG_CHARACTERS)}}${letter}${digested.slice(TAG_CHARACTERS, TAG_CHARACTERS + KEY_CHARACTERS)}`;
  let lastTagText: string | null = null;
  let lastTag = '';
  let lastMemberText: string | null = null;
  let lastMember = '';

  return {
    windowKey(dimension, key, tagOf) {
      // The keys of one network follow one another.
      if (tagOf !== lastTagText) {
        lastTag = digest(tagOf);
        lastTagText = tagOf;
      }
      return name(LETTERS[dimension], lastTag, key === tagOf ? lastTag : digest(key));
    },
    limitKey(kind, key) {
      const digested = digest(`${kind}\n${key}`);
      return name('l', digested, digested);
    },
    member(text) {
      if (text !== lastMemberText) {
        lastMember = digest(text).slice(0, MEMBER_CHARACTERS);
        lastMemberText = text;
      }
      return lastMember;
    },
  };
}

/** The text in the braces of a key. */
export function tagOfKey(key: string): string {
  return key.slice(PREFIX.length + 1, PREFIX.length + 1 + TAG_CHARACTERS);
}
