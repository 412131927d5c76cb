import type { DomainName } from '../../addresses/email-address.ts';
import type { Finding } from '../../assessment/processor.ts';
import { RESERVED_DOMAINS } from './reserved-domains.generated.ts';

/** The reasons why a name cannot receive mail, as the evidence of `undeliverable_email`. */
export type UndeliverableEvidence = Required<Pick<Finding, 'evidence' | 'fields'>>;

/** @returns Why the name cannot receive mail, for any answer of the DNS; null when it may receive mail. */
export function whyUndeliverable({
  ascii,
  publicSuffix,
  suffixKind,
}: DomainName): UndeliverableEvidence | null {
  for (let name = ascii; ; name = name.slice(name.indexOf('.') + 1)) {
    if (RESERVED_DOMAINS.has(name)) {
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
