import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import type { ReceivingApp } from '../helpers/receiving-app.ts';
import { until } from '../helpers/until.ts';
import type { Answers } from './chaos-load.ts';

/** Of the product: decisions in one transaction. */
const GROUP = 500;

export interface Ended {
  readonly answers: Answers;
  readonly app: ReceivingApp;
  /** How often a process of a node has ended. Each may leave its last group: refused, and not taken back any more. */
  readonly endings: number;
  /** Of the account with a quota. */
  readonly quota: number;
}

/** After the last answer: what was answered is stored and counted exactly once, and what was refused is not. */
export async function rowsAgree(t: ExecutionContext, admin: pg.Client, ended: Ended): Promise<void> {
  const { answers, app } = ended;
  const { rows, used } = await readBoth(admin);
  const api = rows.filter(({ door }) => door === 'api');
  const stored = new Map(api.map((row) => [row.requestId, row]));
  t.is(stored.size, api.length, 'scorings that are stored twice');
  t.is(new Set(api.map(({ mailbox }) => mailbox)).size, api.length, 'people who are scored twice');
  const differing = [...answers.scored].filter(([id, score]) => stored.get(id)?.score !== score);
  t.deepEqual(differing, [], 'answered, and not stored with this score');
  // A request that is repeated with its key gets the id of the first try.
  const left = [...answers.refused].filter((id) => stored.has(id) && !answers.scored.has(id));
  t.true(
    left.length <= ended.endings * GROUP,
    `${left.length} refused and stored, ${ended.endings} ends of nodes`,
  );
  t.deepEqual(answers.unexpected, []);
  t.is(answers.unanswered, 0, 'signups with a key of their own that were never answered');
  const silent = api.length - answers.scored.size;
  t.true(silent <= answers.cut + left.length, `${silent} stored without an answer, ${answers.cut} cut`);
  quotasAgree(t, used, api, ended.quota);

  const gate = rows.filter(({ door }) => door === 'gate');
  const judged = new Set(gate.map(({ requestId }) => requestId));
  t.is(judged.size, gate.length, 'signups of the gate that are stored twice');
  const ids = app.received.map(({ requestId }) => requestId);
  t.is(new Set(ids).size, ids.length, 'request ids that the app received twice');
  const emails = app.received.flatMap(({ email }) => (email === '' ? [] : [email]));
  const arrived = new Set(emails);
  t.is(arrived.size, emails.length, 'signups that the app received twice');
  const missing = [...answers.signedUp].filter((email) => !arrived.has(email));
  t.deepEqual(missing, [], 'answered as signed up, and not received by the app');
  const lost = app.received.filter(({ requestId }) => !judged.has(requestId));
  const unmarked = lost.filter(({ isDegraded }) => !isDegraded);
  t.deepEqual(unmarked, [], 'forwarded as stored, and not stored');
  const counted = "SELECT sum(count) FROM rollup_decisions WHERE scope = '*'";
  await until(async () => (await numberOf(admin, counted)) >= rows.length);
  t.is(await numberOf(admin, counted), rows.length, 'counted for the overview');
  t.log(
    `API: ${answers.scored.size} answered and stored once, ${answers.refused.size} refused, of which ${left.length} were left by a node that ended, ` +
      `${answers.cut} cut, of which ${silent - left.length} are stored; ${answers.repeated} sent again with their key`,
  );
  t.log(
    `gate: ${ids.length} forwarded, ${answers.signedUp.size} of them answered, ${gate.length} stored; ` +
      `${lost.length} of a node that was killed are not, all marked for the app`,
  );
}

interface Row {
  readonly requestId: string;
  readonly door: string;
  readonly score: number;
  readonly mailbox: string;
  readonly account: string;
}

/** By the name of the account. */
type Used = ReadonlyMap<string, number>;

/** In one snapshot: a node may still take back what it refused while its answer was in doubt. */
async function readBoth(admin: pg.Client): Promise<{ readonly rows: readonly Row[]; readonly used: Used }> {
  await admin.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows } = await admin.query<Row>(
      `SELECT request_id AS "requestId", door, trust_score AS score, mailbox, coalesce(a.name, '') AS account
       FROM decisions d LEFT JOIN accounts a ON a.id = d.account_id`,
    );
    const usage = await admin.query<{ name: string; used: string }>(
      'SELECT a.name, sum(u.used) AS used FROM usage_days u JOIN accounts a ON a.id = u.account_id GROUP BY a.name',
    );
    return { rows, used: new Map(usage.rows.map(({ name, used }) => [name, Number(used)])) };
  } finally {
    await admin.query('COMMIT');
  }
}

/** What is counted for each account is what is stored, and no quota is exceeded. */
function quotasAgree(t: ExecutionContext, used: Used, api: readonly Row[], quota: number): void {
  const stored = new Map<string, number>();
  for (const { account } of api) stored.set(account, (stored.get(account) ?? 0) + 1);
  const counted = [...used].filter(([, count]) => count > 0);
  t.deepEqual(Object.fromEntries(counted), Object.fromEntries(stored), 'counted for the accounts');
  const limited = stored.get('limited') ?? 0;
  t.true(limited <= quota, `${limited} of a quota of ${quota}`);
  t.log(`${limited} of a quota of ${quota} are stored`);
}

async function numberOf(admin: pg.Client, sql: string): Promise<number> {
  const { rows } = await admin.query(`SELECT (${sql}) AS n`);
  return Number(rows[0]?.n ?? 0);
}
