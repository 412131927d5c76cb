import type { Clock } from '../clock.ts';

/** How another server that this process needs has answered lately. Times are milliseconds since the epoch. */
export interface ServiceOutcomes {
  /** Null: not since the start. */
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** Since the last success. */
  readonly failuresInARow: number;
  /** Why the last failure was one, in words without personal data: `ECONNREFUSED`. */
  readonly failure: string | null;
}

/** Keeps the last outcomes of a resolver or of a mail server. */
export interface OutcomeRecorder {
  succeeded(): void;
  failed(because: string): void;
  read(): ServiceOutcomes;
}

/** One failure can belong to one name or one mailbox; so many in a row belong to the server. */
const FAILS_FROM = 5;

export function createOutcomeRecorder(clock: Clock): OutcomeRecorder {
  let outcomes: ServiceOutcomes = {
    ...{ lastSuccessAt: null, lastFailureAt: null, failuresInARow: 0, failure: null },
  };
  return {
    succeeded() {
      outcomes = { ...outcomes, lastSuccessAt: clock(), failuresInARow: 0 };
    },
    failed(failure) {
      const failuresInARow = outcomes.failuresInARow + 1;
      outcomes = { ...outcomes, lastFailureAt: clock(), failuresInARow, failure };
    },
    read: () => outcomes,
  };
}

/** Whether the server itself is the problem. */
export function isFailing({ failuresInARow }: ServiceOutcomes): boolean {
  return failuresInARow >= FAILS_FROM;
}
