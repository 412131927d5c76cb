export interface ExportMetrics {
  /** Lines that will never be in the decision log. */
  logLinesLost(lines: number): void;
  /**
   * A try to deliver a batch.
   * @param result `delivered`, or the cause of the failure.
   */
  tried(name: string, result: string): void;
  delivered(name: string, decisions: number): void;
}

export interface AlertMetrics {
  /**
   * A try to send a message.
   * @param result `sent`, `failed`, or `given_up` after the last try.
   */
  tried(name: string, result: 'sent' | 'failed' | 'given_up'): void;
}

export interface TraceMetrics {
  /** @param result `dropped`: the queue was full, or the process ended. */
  spans(result: 'sent' | 'failed' | 'dropped', count: number): void;
}
