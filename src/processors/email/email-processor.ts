import { LRUCache } from 'lru-cache';
import type { DomainName, Mailbox } from '../../addresses/email-address.ts';
import type { AttemptEmail } from '../../assessment/attempt.ts';
import { readMailbox } from '../../assessment/canonical-mailbox.ts';
import type { Examination, Finding, Processor } from '../../assessment/processor.ts';
import type { CurrentDatasets, EmailDatasets } from '../../datasets/datasets.ts';
import type { BoundedResolver } from '../dns/bounded-resolver.ts';
import { askForMailExchange, type MailExchangeVerdict } from '../dns/mail-exchange.ts';
import type { MailServers } from '../dns/mail-servers.ts';
import { type DomainVerdict, hasLookAlikeLetters, judgeDomain, suffixOf } from './domain-verdict.ts';
import type { EmailModels } from './email-models.ts';

export interface EmailProcessorDependencies {
  readonly datasets: CurrentDatasets;
  readonly models: EmailModels;
  /** The registrable domains that many people use here; null when they are not known. */
  readonly usedDomains?: { has(domain: string): boolean } | null;
  /** Null when the DNS is not used. `timeoutMs` limits the whole time of its queries for one attempt. */
  readonly dns: { readonly resolver: BoundedResolver; readonly timeoutMs: number } | null;
  /** Receives the mail servers that the DNS returned. */
  readonly mailServers?: Pick<MailServers, 'note'> | null;
}

/** The number of cached verdicts. One needs about 300 bytes, so a flood of domains uses at most 6 MB. */
const CACHED_DOMAINS = 20_000;

/**
 * Email Intelligence: rates an email address. Answers directly from the data sets and models. It queries the DNS only
 * for a domain that these leave undecided, and within the given budget.
 */
export function createEmailProcessor({
  datasets,
  models,
  usedDomains = null,
  dns,
  mailServers = null,
}: EmailProcessorDependencies): Processor {
  const verdicts = new LRUCache<string, DomainVerdict>({ max: CACHED_DOMAINS });
  let judgedBy: EmailDatasets | null = null;

  function verdictOf(domain: DomainName, email: EmailDatasets): DomainVerdict {
    // Data sets are replaced as a whole, so verdicts from the old ones are invalid.
    if (judgedBy !== email) verdicts.clear();
    judgedBy = email;
    const known = verdicts.get(domain.ascii);
    if (known) return known;
    const verdict = judgeDomain(domain, email, models);
    verdicts.set(domain.ascii, verdict);
    return verdict;
  }

  return {
    factor: 'email',
    examine(attempt) {
      const { email } = attempt;
      if (email.mailbox === null) return noMailbox(email);
      const sets = datasets.current.email;
      const { mailbox } = email;
      const verdict = verdictOf(mailbox.domain, sets);
      const { registrable } = mailbox.domain;
      const isUsed = registrable !== null && usedDomains?.has(registrable);
      const findings = [
        ...(isUsed ? verdict.findings.filter(isNoGuess) : verdict.findings),
        ...judgeLocalPart(mailbox, verdict, sets, models),
      ];
      if (!dns || !verdict.asksDns) return examination(verdict, findings, null);
      const exchange = askForMailExchange(mailbox.domain, dns, sets.disposable);
      mailServers?.note(attempt, exchange);
      if (!(exchange instanceof Promise)) return examination(verdict, findings, exchange);
      return exchange.then((settled) => examination(verdict, findings, settled));
    },
  };
}

/** A guess about a domain counts for nothing when many people use the domain. Lists and the DNS still count. */
function isNoGuess({ code }: Finding): boolean {
  return code !== 'suspicious_domain';
}

function examination(
  { classification, evidence, fields }: DomainVerdict,
  findings: readonly Finding[],
  exchange: MailExchangeVerdict | null,
): Examination {
  if (!exchange) return { classification, evidence, fields, findings, incomplete: null };
  const { finding, incomplete, server } = exchange;
  const all = finding ? [...findings, finding] : findings;
  const known = server === null ? fields : { ...fields, mail_server: server };
  return { classification, evidence, fields: known, findings: all, incomplete };
}

/** There is no domain to classify, so only the finding counts. */
function noMailbox({ problem, bodyFields = [] }: Extract<AttemptEmail, { mailbox: null }>): Examination {
  const names = bodyFields.length > 0 ? { body_fields: bodyFields } : {};
  const findings: readonly Finding[] = [
    { code: 'invalid_email', evidence: problem, fields: { cause: problem, ...names } },
  ];
  return { classification: 'corporate_email', evidence: null, findings, incomplete: null };
}

/** Judges the part before the @. Its text never becomes evidence, because it is a person's name. */
function judgeLocalPart(
  mailbox: Mailbox,
  { classification }: DomainVerdict,
  { roles }: EmailDatasets,
  { isRandomLocalPart }: EmailModels,
): Finding[] {
  const findings: Finding[] = [];
  const { canonical, isTagged } = readMailbox(mailbox);
  if (isTagged) findings.push({ code: 'subaddressed_email', evidence: 'tag' });
  if (hasLookAlikeLetters(mailbox.localPart, suffixOf(mailbox.domain))) {
    findings.push({
      code: 'mixed_script_email',
      evidence: 'the part before the @',
      fields: { part: 'local_part' },
    });
  }
  // A relay generates its local parts, so the checks for roles and random text do not apply.
  if (classification === 'relay_email') return findings;
  const name = canonical.slice(0, canonical.lastIndexOf('@'));
  if (roles.has(mailbox.localPart.toLowerCase()) || roles.has(name)) {
    findings.push({ code: 'role_email', evidence: null });
  } else if (isRandomLocalPart(name)) {
    findings.push({ code: 'random_local_part', evidence: null });
  }
  return findings;
}
