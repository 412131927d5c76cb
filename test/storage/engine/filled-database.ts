import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';

const clock = () => NOON;

export function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-file-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A database with an account, what it used, and some hundred pages of decisions. */
export async function filledDatabase(t: ExecutionContext): Promise<string> {
  const file = join(folderOf(t), 'gatekeeper.db');
  const records = await openStorage({ url: `sqlite:${file}`, clock });
  const { id: accountId } = await records.accounts.create({ name: 'shop', plan: 'hobby' });
  await Promise.all(
    Array.from({ length: 400 }, () =>
      records.ledger.commit({
        ...{ accountId, keyId: 'key', limit: null, answer: null },
        decision: decisionWith({ accountId, route: 'x'.repeat(1_000) }),
      }),
    ),
  );
  await records.close();
  return file;
}
