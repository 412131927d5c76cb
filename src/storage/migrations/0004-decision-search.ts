import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/** Rows changed at a time, which bounds the memory. */
const STEP_ROWS = 200;

/**
 * Makes decisions searchable. One index in the order of time holds all columns that they are filtered and clustered by.
 * So any combination of filters reads this index only, and an insert only appends to it: it costs a scoring about as much
 * as a narrow index, and an index for each filter would cost several times that.
 *
 * The small indexes find the decisions of one account, and the few with an outcome or a label.
 */
export const decisionSearch: Migration = {
  version: 4,
  name: 'decision-search',
  async up(db) {
    for (const column of ['template', 'user_agent'] as const) {
      await db.schema.alterTable('decisions').addColumn(column, 'text').execute();
    }
    await db.schema
      .alterTable('decisions')
      .addColumn('codes', 'text', (column) => column.notNull().defaultTo(' '))
      .execute();
    await fillColumns(db);
    await db.schema.dropIndex('decisions_processed_at').execute();
    await db.schema
      .createIndex('decisions_search')
      .on('decisions')
      .columns([
        'processed_at',
        'id',
        'account_id',
        'key_id',
        'door',
        'route',
        'test',
        'risk_level',
        'action',
        'mode',
        'domain',
        'network',
        'mailbox',
        'template',
        'user_agent',
        'codes',
        'outcome',
        'label',
      ])
      .execute();
    await db.schema
      .createIndex('decisions_account')
      .on('decisions')
      .columns(['account_id', 'processed_at', 'id'])
      .where(sql<boolean>`account_id IS NOT NULL`)
      .execute();
    for (const column of ['outcome', 'label'] as const) {
      await db.schema
        .createIndex(`decisions_${column}`)
        .on('decisions')
        .columns(['processed_at', 'id', column])
        .where(sql<boolean>`${sql.ref(column)} IS NOT NULL`)
        .execute();
    }
  },
};

interface OldRow {
  readonly id: number;
  readonly identity: string;
  readonly detail: string;
}

async function fillColumns(db: Kysely<never>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<OldRow>`
      SELECT id, identity, detail FROM decisions WHERE id > ${after} ORDER BY id LIMIT ${STEP_ROWS}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (!last) return;
    await sql`
      WITH filled (id, identity, template, user_agent, codes) AS (VALUES ${sql.join(rows.map(filled))})
      UPDATE decisions SET identity = filled.identity, template = filled.template,
        user_agent = filled.user_agent, codes = filled.codes
      FROM filled WHERE decisions.id = filled.id`.execute(db);
    after = last.id;
  }
}

function filled({ id, identity, detail }: OldRow) {
  const { ip, site, userAgent, template } = JSON.parse(identity) as Record<string, string | null>;
  const kept = JSON.stringify({ ip, site });
  const codes = codesOf(JSON.parse(detail) as OldDetail);
  return sql`(${id}, ${kept}, ${template ?? null}, ${userAgent ?? null}, ${codes})`;
}

/** Decisions as this version stored them: not today's types, which may change. */
interface OldDetail {
  readonly examinations: Readonly<Record<string, OldExamination | null>>;
  readonly lists: readonly { readonly code: string }[];
}

interface OldExamination {
  readonly classification: string;
  readonly findings: readonly { readonly code: string }[];
  readonly incomplete: unknown;
}

function codesOf({ examinations, lists }: OldDetail): string {
  const codes = new Set(lists.map(({ code }) => code));
  for (const factor of ['email', 'ip_address', 'velocity', 'user_agent']) {
    const examination = examinations[factor];
    if (examination) {
      codes.add(examination.classification);
      for (const { code } of examination.findings) codes.add(code);
    }
    if (!examination || examination.incomplete !== null) codes.add(`${factor}_not_evaluated`);
  }
  return codes.size === 0 ? ' ' : ` ${[...codes].join(' ')} `;
}
