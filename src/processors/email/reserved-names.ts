import type { DomainName } from '../../addresses/domain-name.ts';

/**
 * Names under which no mailbox can exist: RFC 2606 and 6761 (test, example, invalid, localhost and the example
 * domains), RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa) and RFC 3172 (arpa: infrastructure), RFC 9476
 * (alt), and the top-level domain that ICANN reserved for private use in 2024 (internal).
 */
const RESERVED: ReadonlySet<string> = new Set([
  'test',
  'example',
  'invalid',
  'localhost',
  'local',
  'onion',
  'arpa',
  'alt',
  'internal',
  'example.com',
  'example.net',
  'example.org',
]);

/** @returns Why no mail can reach the name, whatever the DNS says; null when it may. */
export function whyUndeliverable({ ascii, publicSuffix, suffixKind }: DomainName): string | null {
  for (let name = ascii; ; name = name.slice(name.indexOf('.') + 1)) {
    if (RESERVED.has(name)) return `${name} is reserved`;
    if (!name.includes('.')) break;
  }
  return suffixKind === 'unknown' ? `the suffix .${publicSuffix} does not exist` : null;
}
