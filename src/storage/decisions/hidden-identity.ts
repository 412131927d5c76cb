import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { DecisionRecord } from './decision-record.ts';

/** The part of the identity without columns of its own. */
export type HiddenIdentity = Pick<AttemptIdentity, 'ip' | 'site' | 'style' | 'countedAs' | 'mailServer'>;
/** Decisions from before the style lack it. */
export type StoredIdentity = Omit<HiddenIdentity, 'style'> & Partial<Pick<HiddenIdentity, 'style'>>;

/** With the mail server that judging asked for: a start compares with the past by it. */
export function hiddenIdentityOf({
  identity,
  examinations,
}: Pick<DecisionRecord, 'identity' | 'examinations'>): HiddenIdentity {
  const { ip, site, style, countedAs } = identity;
  return { ip, site, style, countedAs, mailServer: examinations.email?.fields?.mail_server };
}
