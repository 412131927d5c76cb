import type { DomainName } from '../../addresses/domain-name.ts';
import type { Finding } from '../../assessment/processor.ts';

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

/** Why no mail can reach a name, as the evidence of `undeliverable_email`. */
export type UndeliverableEvidence = Required<Pick<Finding, 'evidence' | 'fields'>>;

/** @returns Why no mail can reach the name, whatever the DNS says; null when it may. */
export function whyUndeliverable({
  ascii,
  publicSuffix,
  suffixKind,
}: DomainName): UndeliverableEvidence | null {
  for (let name = ascii; ; name = name.slice(name.indexOf('.') + 1)) {
    if (RESERVED.has(name)) {
      return { evidence: `${name} is reserved`, fields: { cause: 'reserved_name', domain: name } };
    }
    if (!name.includes('.')) break;
  }
  if (suffixKind !== 'unknown') return null;
  return {
    evidence: `the suffix .${publicSuffix} does not exist`,
    fields: { cause: 'unknown_suffix', domain: publicSuffix },
  };
}
