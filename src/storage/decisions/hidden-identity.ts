import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { DecisionRecord } from './decision-record.ts';

/** The part of the identity without columns of its own. */
export type HiddenIdentity = Pick<AttemptIdentity, 'ip' | 'site' | 'style' | 'countedAs' | 'mailServer'>;
/** Missing in decisions from before styles existed. */
export type StoredIdentity = Omit<HiddenIdentity, 'style'> & Partial<Pick<HiddenIdentity, 'style'>>;

/** It contains the mail server that the judge looked up, so a start can learn the past from it. */
export function hiddenIdentityOf({
  identity,
  examinations,
}: Pick<DecisionRecord, 'identity' | 'examinations'>): HiddenIdentity {
  const { ip, site, style, countedAs } = identity;
  return { ip, site, style, countedAs, mailServer: examinations.email?.fields?.mail_server };
}
