import type { Clock } from '../clock.ts';

/** The recent answers of another server that this process needs. Times are milliseconds since the epoch. */
export interface ServiceOutcomes {
  /** The last success; null when there was no success since the start. */
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** The number of failures since the last success. */
  readonly failuresInARow: number;
  /** The cause of the last failure, without personal data: `ECONNREFUSED`. */
  readonly failure: string | null;
}

/** Keeps the last outcomes of a resolver or of a mail server. */
export interface OutcomeRecorder {
  succeeded(): void;
  failed(because: string): void;
  read(): ServiceOutcomes;
}

/** A single failure may be caused by one name or one mailbox. This many in a row are caused by the server. */
const FAILS_FROM = 5;

export function createOutcomeRecorder(clock: Clock): OutcomeRecorder {
  let outcomes: ServiceOutcomes = {
    lastSuccessAt: null,
    lastFailureAt: null,
    failuresInARow: 0,
    failure: null,
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

/** Whether the server itself has a problem. */
export function isFailing({ failuresInARow }: ServiceOutcomes): boolean {
  return failuresInARow >= FAILS_FROM;
}
