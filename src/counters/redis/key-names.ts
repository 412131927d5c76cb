import { hash } from 'node:crypto';
import type { CounterDimension } from '../counters.ts';

/** Names keys and members so that nothing in the server can be read, or guessed without the secret. */
export interface KeyNames {
  windowKey(dimension: CounterDimension, key: string, tagOf: string): string;
  limitKey(kind: string, key: string): string;
  member(text: string): string;
}

/** Of the scripts: two versions of a fleet that is being upgraded count apart. */
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
/** 24 bits: more than the 16,384 slots of a cluster. */
const TAG_CHARACTERS = 4;
/** 66 bits. */
const KEY_CHARACTERS = 11;
/** 36 bits: two members of one key fall together once in 2^36 pairs. */
const MEMBER_CHARACTERS = 6;

/**
 * `gk1:{tag}` and 12 characters: what stands in braces decides the slot in a cluster, so that the keys of one network go
 * to one server. Truncated SHA-256 over secret and text, 0.6 µs each: domains and networks could be guessed otherwise.
 *
 * @param secret Nodes share it, or they count apart.
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
      // The keys of one network come one after the other.
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

/** What stands in the braces of a key. */
export function tagOfKey(key: string): string {
  return key.slice(PREFIX.length + 1, PREFIX.length + 1 + TAG_CHARACTERS);
}
