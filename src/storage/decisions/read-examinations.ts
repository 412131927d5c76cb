import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Examination, Finding } from '../../assessment/processor.ts';
import type { Examinations } from '../../assessment/score.ts';

/**
 * Examinations as the column `detail` keeps them. Rows written before evidence had fields hold the sentences alone: the
 * two facts that programs ask for are read from these here, and nowhere else.
 */
export function readExaminations(stored: Examinations): Examinations {
  const { email, ip_address: network } = stored;
  // A truth test, because old rows may lack a factor.
  const hasOldNetwork = network && network.fields === undefined && network.evidence !== null;
  const hasOldMailServer = email?.findings.some(isOldMailServer);
  if (!hasOldNetwork && !hasOldMailServer) return stored;
  return {
    ...stored,
    email: email && { ...email, findings: email.findings.map(withMailServer) },
    ip_address: network && withNetwork(network),
  };
}

function isOldMailServer({ code, evidence, fields }: Finding): boolean {
  return code === 'disposable_mail_exchange' && evidence !== null && fields === undefined;
}

function withMailServer(finding: Finding): Finding {
  if (!isOldMailServer(finding) || finding.evidence === null) return finding;
  return { ...finding, fields: { mail_server: finding.evidence } };
}

/** `AS24940 Hetzner Online GmbH, DE`: only the number can be read reliably, since names contain commas too. */
function withNetwork(examination: Examination): Examination {
  const { evidence, fields } = examination;
  if (fields !== undefined || evidence === null) return examination;
  const asn = /^AS(\d{1,10})(?=\s|,|$)/.exec(evidence)?.[1];
  const read: EvidenceFields = asn === undefined ? {} : { asn: Number(asn) };
  return { ...examination, fields: read };
}
