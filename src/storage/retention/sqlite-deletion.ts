import type { Clock } from '../../clock.ts';
import type { DecisionDeletion } from '../decisions/decision-store.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { deleteExpiredDecisions, eraseDecisions } from './delete-decisions.ts';
import { createTrim } from './trim-decisions.ts';

/** Deletes decisions in SQLite, in short transactions, because signups wait for its one write lock. */
export function createSqliteDeletion(engine: StorageEngine, clock: Clock): DecisionDeletion {
  return {
    deleteBefore: (time, now = clock()) => deleteExpiredDecisions(engine, time, now),
    trim: createTrim(engine, clock),
    erase: (mailbox) => eraseDecisions(engine, mailbox),
  };
}
