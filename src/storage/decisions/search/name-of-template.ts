import { type Kysely, sql } from 'kysely';
import { parseMailbox } from '../../../addresses/email-address.ts';
import { localPartTemplate } from '../../../assessment/identity.ts';
import { isShape } from '../../../assessment/pattern.ts';
import { FACTORS } from '../../../assessment/reasons.ts';
import type { StorageSchema } from '../../storage-schema.ts';
import type { DecisionRecord } from '../decision-record.ts';
import { parseStored } from '../parse-stored.ts';
import type { Campaign } from './campaign.ts';
import { hasCode } from './decision-filter.ts';
import { attemptsWithin } from './find-campaigns.ts';

/** Rows of 4 KB at most. */
const SAMPLE = 50;
/** Decisions of one template in one millisecond. */
const MAX_AT_ONE_TIME = 3;

/**
 * The text of a template, `promo.user#`, the most frequent in the evidence of the newest decisions that counted its mailboxes, among the newest
 * 60,000 of that time; without such a decision, that of the newest plain address. Null without either: a template that few
 * mailboxes have is stored as its pseudonym only.
 */
export async function nameOfTemplate(
  reader: Kysely<StorageSchema>,
  { key, from, to }: { readonly key: string; readonly from: number; readonly to: number },
): Promise<string | null> {
  const { attempts } = await attemptsWithin(reader, { accountId: null, from, to });
  const ofTemplate = attempts.where('template', '=', key);
  const rows = await ofTemplate
    .select(['id', 'detail'])
    .where((where) => where.or([hasCode('template_burst'), hasCode('denylisted_pattern')]))
    .where(sql<boolean>`detail LIKE '%"pattern":%'`)
    .orderBy('processed_at', 'desc')
    .limit(SAMPLE)
    .execute();
  const counts = new Map<string, number>();
  for (const { id, detail } of rows) {
    const pattern = patternIn(parseStored(detail, id));
    if (pattern !== null) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  // A shape is also the name of those whose text few others have.
  const [best] = [...counts].sort(
    ([a, many], [b, more]) => more - many || (isShape(a) ? 1 : isShape(b) ? -1 : 0),
  );
  if (best) return best[0];
  const newest = await ofTemplate
    .select(['id', 'detail'])
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest ? patternOf(parseStored(newest.detail, newest.id)) : null;
}

/** The texts of many templates, each from its newest decision. A template without a stored text is missing. */
export async function namesOfTemplates(
  reader: Kysely<StorageSchema>,
  campaigns: readonly Pick<Campaign, 'key' | 'last'>[],
): Promise<ReadonlyMap<string, string>> {
  if (campaigns.length === 0) return new Map();
  const rows = await reader
    .selectFrom('decisions')
    .select(['id', 'template', 'detail'])
    .where(
      'processed_at',
      'in',
      campaigns.map(({ last }) => last),
    )
    .where(
      'template',
      'in',
      campaigns.map(({ key }) => key),
    )
    .limit(campaigns.length * MAX_AT_ONE_TIME)
    .execute();
  const names = new Map<string, string>();
  for (const { id, template, detail } of rows) {
    const name = patternOf(parseStored(detail, id));
    if (template !== null && name !== null) names.set(template, name);
  }
  return names;
}

/** The pattern in the evidence of a stored decision, otherwise that of its address, where it is stored in plain text. */
function patternOf(detail: unknown): string | null {
  const named = patternIn(detail);
  if (named !== null) return named;
  const { plain } = detail as Pick<DecisionRecord, 'plain'>;
  const mailbox = plain?.email ? parseMailbox(plain.email) : null;
  return mailbox && localPartTemplate(mailbox.localPart);
}

/** The pattern in the evidence of a stored decision. */
function patternIn(detail: unknown): string | null {
  const { examinations } = detail as { readonly examinations: Record<string, StoredExamination | null> };
  for (const factor of FACTORS) {
    for (const { fields } of examinations[factor]?.findings ?? []) {
      if (typeof fields?.pattern === 'string') return fields.pattern;
    }
  }
  return null;
}

interface StoredExamination {
  readonly findings: readonly { readonly fields?: { readonly pattern?: unknown } }[];
}
