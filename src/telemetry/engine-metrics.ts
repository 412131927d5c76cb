import { createDurationHistogram, type DurationHistogram, type LabelledCounter } from './instruments.ts';

/** Calls to the engines behind the records and the counters. */
export interface EngineMetrics {
  readonly sharedCounters: SharedCountersMetrics;
  readonly records: RecordsMetrics;
  readonly calls: EngineCalls;
}

export interface SharedCountersMetrics {
  /** A call to shared counters was not answered; this node counted alone. */
  fellBack(because: string): void;
  /** Shared counters were emptied. */
  lost(): void;
  /**
   * Records the duration of a call until its answer, its failure or its deadline.
   * @param script Its name.
   */
  called(script: string, ms: number): void;
}

/** Calls to a database on another machine. SQLite has none. */
export interface RecordsMetrics {
  /** Records the duration of a call until its answer or its failure. */
  called(operation: RecordsOperation, ms: number): void;
  /** The connection ended while a group of decisions was written. Then the database was asked for its outcome. */
  inDoubt(outcome: 'written' | 'not_written'): void;
}

export type RecordsOperation =
  /** The wait for a free connection, or for a new one. */
  | 'connect'
  /** A statement on a connection that may write. */
  | 'statement'
  /** A statement of a page of the dashboard. */
  | 'page'
  /** A group of decisions with their quotas and answers. */
  | 'write_group'
  /** The outcome of a group whose connection ended. */
  | 'settle_group';

/** The durations of calls, by engine and operation. */
export interface EngineCalls {
  series(): Iterable<{
    readonly engine: string;
    readonly operation: string;
    readonly took: DurationHistogram;
  }>;
}

type MakeCounter = (name: string, help: string, labels?: readonly string[]) => LabelledCounter;

export function createEngineMetrics(counter: MakeCounter): EngineMetrics {
  const fallbacks = counter(
    'counters_fallback_total',
    'Calls to shared counters that this node answered alone.',
    ['because'],
  );
  const losses = counter('counters_lost_total', 'Times that shared counters were found emptied.');
  const inDoubt = counter(
    'records_in_doubt_total',
    'Groups of decisions whose connection ended while they were written, by what the database said afterwards.',
    ['outcome'],
  );
  const byEngine = {
    records: new Map<string, DurationHistogram>(),
    counters: new Map<string, DurationHistogram>(),
  };
  const add = (engine: keyof typeof byEngine, operation: string, ms: number) => {
    let took = byEngine[engine].get(operation);
    if (!took) {
      took = createDurationHistogram();
      byEngine[engine].set(operation, took);
    }
    took.add(ms);
  };
  return {
    sharedCounters: {
      fellBack: (because) => fallbacks.count([because]),
      lost: () => losses.count([]),
      called: (script, ms) => add('counters', script, ms),
    },
    records: {
      called: (operation, ms) => add('records', operation, ms),
      inDoubt: (outcome) => inDoubt.count([outcome]),
    },
    calls: {
      *series() {
        for (const [engine, operations] of Object.entries(byEngine)) {
          for (const [operation, took] of operations) yield { engine, operation, took };
        }
      },
    },
  };
}
