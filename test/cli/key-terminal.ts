import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { createKey, type KeysContext, type NewKeyOptions, newKeyProblem } from '../../src/cli/manage-keys.ts';
import { refuse } from '../../src/cli/report-refusal.ts';
import { openDatabase } from '../helpers/empty-database.ts';

export const NOON = Date.parse('2026-11-21T12:00:00Z');

interface Terminal {
  readonly context: KeysContext;
  readonly folder: string;
  /** The output since the last call. */
  takeOutput(): string;
  takeErrors(): string;
  create(name: string, options?: Partial<NewKeyOptions>): Promise<number>;
}

export async function openTerminal(t: ExecutionContext): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-keys-'));
  const records = await openDatabase(`${folder}/gatekeeper.db`, () => NOON);
  t.teardown(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  let output = '';
  let errors = '';
  const context: KeysContext = {
    records,
    plans: ['unlimited', 'hobby', 'pro'],
    configuredKeys: [
      { name: 'ci', scope: null },
      { name: 'app', scope: 'gate' },
    ],
    clock: () => NOON,
    write: (text) => {
      output += text;
    },
    deliver: async (text) => {
      output += text;
      return true;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  const take = (text: string, clear: () => void) => {
    clear();
    return text;
  };
  return {
    context,
    folder,
    takeOutput: () =>
      take(output, () => {
        output = '';
      }),
    takeErrors: () =>
      take(errors, () => {
        errors = '';
      }),
    create: async (name, options) => {
      const wanted = { name, plan: null, test: false, scope: null, expiresInMs: null, ...options };
      const problem = newKeyProblem(wanted, context);
      return problem === undefined ? createKey(wanted, context) : refuse(context, problem);
    },
  };
}
