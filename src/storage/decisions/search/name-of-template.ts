import { type Kysely, sql } from 'kysely';
import { isShape } from '../../../assessment/pattern.ts';
import { FACTORS } from '../../../assessment/reasons.ts';
import type { StorageSchema } from '../../storage-schema.ts';
import { parseStored } from '../parse-stored.ts';
import { hasCode } from './decision-filter.ts';
import { attemptsWithin } from './find-campaigns.ts';

/** Rows of 4 KB at most. */
const SAMPLE = 50;

/**
 * The text of a template, `promo.user#`, the most frequent in the evidence of the newest decisions that counted its mailboxes, among the newest
 * 60,000 of that time. Null when there is no such decision: a template that few mailboxes have is stored as its pseudonym only.
 */
export async function nameOfTemplate(
  reader: Kysely<StorageSchema>,
  { key, from, to }: { readonly key: string; readonly from: number; readonly to: number },
): Promise<string | null> {
  const { attempts } = await attemptsWithin(reader, { accountId: null, from, to });
  const rows = await attempts
    .select(['id', 'detail'])
    .where('template', '=', key)
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
  return best?.[0] ?? null;
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
