import { type Kysely, sql } from 'kysely';
import { createPartitionFunctions, DAYS_AHEAD } from './partition-functions.ts';
import { createScoringFunctions } from './scoring-functions.ts';

/**
 * Decisions by the day, so that the end of their retention drops a table instead of deleting rows. Decisions of a clock
 * that is far off go to the DEFAULT partition. A unique index must contain the time, because PostgreSQL has no index over
 * several partitions.
 *
 * Every index costs each decision CPU time and WAL: besides the one of request ids and the one of time there are only
 * those without which an erasure would read all decisions, and small ones of some rows.
 */
export async function createDecisionTables(db: Kysely<never>): Promise<void> {
  await createDecisions(db);
  await createUsage(db);
  for (const statement of ANSWERS) await sql.raw(statement).execute(db);
  await createScoringFunctions(db);
  await createPartitionFunctions(db);
  await sql`SELECT prepare_decision_days_1(${sql.lit(DAYS_AHEAD)})`.execute(db);
}

const DECISIONS = [
  'CREATE SEQUENCE decisions_id',
  `CREATE TABLE decisions (
    id bigint NOT NULL DEFAULT nextval('decisions_id'),
    request_id text COLLATE "C" NOT NULL,
    processed_at bigint NOT NULL,
    door text COLLATE "C" NOT NULL,
    account_id text COLLATE "C",
    key_id text COLLATE "C",
    test integer NOT NULL,
    scope text COLLATE "C" NOT NULL,
    route text COLLATE "C",
    trust_score integer NOT NULL,
    risk_level text COLLATE "C" NOT NULL,
    wanted_action text COLLATE "C",
    action text COLLATE "C",
    mode text COLLATE "C",
    degraded integer NOT NULL,
    mailbox text COLLATE "C",
    spelling text COLLATE "C",
    domain text COLLATE "C",
    network text COLLATE "C" NOT NULL,
    template text COLLATE "C",
    user_agent text COLLATE "C",
    codes text COLLATE "C" NOT NULL,
    policy_revision text COLLATE "C" NOT NULL,
    data_revision text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    detail text COLLATE "C" NOT NULL,
    outcome text COLLATE "C",
    label text COLLATE "C",
    repeats integer NOT NULL DEFAULT 0,
    last_seen_at bigint
  ) PARTITION BY RANGE (processed_at)`,
  'ALTER SEQUENCE decisions_id OWNED BY decisions.id',
  'CREATE UNIQUE INDEX decisions_request_id ON decisions (request_id, processed_at)',
  'CREATE INDEX decisions_time ON decisions (processed_at, id)',
  // In the order of writing, for exports: it only grows at its end.
  'CREATE INDEX decisions_written ON decisions (id)',
  'CREATE INDEX decisions_mailbox ON decisions (mailbox) WHERE mailbox IS NOT NULL',
  'CREATE INDEX decisions_spelling ON decisions (spelling) WHERE spelling IS NOT NULL',
  'CREATE INDEX decisions_account ON decisions (account_id, processed_at, id) WHERE account_id IS NOT NULL',
  'CREATE INDEX decisions_test ON decisions (processed_at, id) WHERE test = 1',
  `CREATE INDEX decisions_outcome ON decisions (processed_at, id, outcome, account_id, route, test)
    WHERE outcome IS NOT NULL`,
  'CREATE INDEX decisions_label ON decisions (processed_at, id) WHERE label IS NOT NULL',
  'CREATE TABLE decisions_default PARTITION OF decisions DEFAULT',
];

async function createDecisions(db: Kysely<never>): Promise<void> {
  for (const statement of DECISIONS) await sql.raw(statement).execute(db);
}

/** Rows that each group of an account raises: half of a page stays free for their next versions. */
const USAGE = [
  `CREATE TABLE quota_months (
    account_id text COLLATE "C" NOT NULL,
    month text COLLATE "C" NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (account_id, month)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE usage_days (
    account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
    day text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (account_id, day, key_id)
  ) WITH (fillfactor = 50)`,
  // Counts of decisions that wait to be added to the rollups. No index: a job takes all of them each second or two.
  `CREATE TABLE rollup_deltas (
    hour integer NOT NULL,
    account_id text COLLATE "C",
    door text COLLATE "C" NOT NULL,
    route text COLLATE "C" NOT NULL,
    mode text COLLATE "C" NOT NULL,
    risk_level text COLLATE "C" NOT NULL,
    wanted_action text COLLATE "C" NOT NULL,
    degraded integer NOT NULL,
    test integer NOT NULL,
    codes text COLLATE "C" NOT NULL,
    class integer NOT NULL,
    count bigint NOT NULL
  )`,
];

async function createUsage(db: Kysely<never>): Promise<void> {
  for (const statement of USAGE) await sql.raw(statement).execute(db);
}

const ANSWERS = [
  `CREATE TABLE answers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    body_sha256 text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    mailbox text COLLATE "C",
    CONSTRAINT answers_key UNIQUE (account_id, idempotency_key)
  )`,
  'CREATE INDEX answers_created_at ON answers (created_at)',
  'CREATE INDEX answers_request_id ON answers (request_id)',
  'CREATE INDEX answers_mailbox ON answers (mailbox) WHERE mailbox IS NOT NULL',
];
