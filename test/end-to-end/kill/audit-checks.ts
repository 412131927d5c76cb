import type { Storage } from '../../../src/storage/storage.ts';

/** More than all rounds write. */
const MAX_LINES = 1_000_000;
const PAGE_ROWS = 500;

/**
 * Acts whose effect is stored without exactly one line of the audit log, and lines without their effect, as sentences:
 * also of acts that were under way when the process was killed.
 */
export async function findUnloggedActs(records: Storage): Promise<readonly string[]> {
  const lines = await countLines(records);
  const done = [
    ...(await keyActs(records)),
    ...(await accountActs(records)),
    ...(await listActs(records, lines)),
  ];
  const doneOnce = new Set(done);
  const unlogged = done.filter((line) => lines.get(line) !== 1);
  const invented = [...lines.keys()].filter(
    (line) => /^(key|list|account)\./.test(line) && !doneOnce.has(line),
  );
  return [
    ...unlogged.map((line) => `done, and ${lines.get(line) ?? 0} lines of the audit log say: ${line}`),
    ...invented.map((line) => `not done, and the audit log says: ${line}`),
  ];
}

/** How often the log says what of whom. */
async function countLines(records: Storage): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  let before: number | null = null;
  for (let read = 0; read < MAX_LINES; read += PAGE_ROWS) {
    const page = await records.audit.page({ before, limit: PAGE_ROWS });
    for (const { act, subject } of page) {
      const line = `${act} ${subject}`;
      lines.set(line, (lines.get(line) ?? 0) + 1);
    }
    before = page.at(-1)?.id ?? null;
    if (before === null) break;
  }
  return lines;
}

async function keyActs(records: Storage): Promise<readonly string[]> {
  const keys = await records.apiKeys.list();
  return keys.flatMap(({ name, lastFour, revokedAt }) => {
    const subject = `"${name}" ending in ${lastFour}`;
    return [`key.created ${subject}`, ...(revokedAt === null ? [] : [`key.revoked ${subject}`])];
  });
}

async function accountActs(records: Storage): Promise<readonly string[]> {
  const acts: string[] = [];
  let after: string | null = null;
  for (let read = 0; read < MAX_LINES; read += PAGE_ROWS) {
    const page = await records.accounts.page({ after, limit: PAGE_ROWS, text: 'user-' });
    for (const { name, passwordChangedAt } of page) {
      acts.push(`account.invited ${name}`);
      if (passwordChangedAt !== null) acts.push(`account.password_set ${name}`);
    }
    after = page.at(-1)?.name ?? null;
    if (after === null) break;
  }
  return acts;
}

/** An entry that is gone was added and removed; one of which nothing is left was never there. */
async function listActs(records: Storage, lines: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const present = new Set<string>();
  const { revision } = await records.listEntries.state();
  for await (const changes of records.listEntries.changes({ after: 0, upTo: revision })) {
    for (const { value, removed } of changes) if (!removed) present.add(value);
  }
  const gone = [...lines.keys()]
    .filter((line) => line.startsWith('list.entry_removed '))
    .map((line) => line.slice('list.entry_removed '.length));
  return [
    ...[...present].map((entry) => `list.entry_added ${entry}`),
    ...gone.flatMap((entry) => [`list.entry_added ${entry}`, `list.entry_removed ${entry}`]),
  ];
}
