import type { DecisionRecord } from '../storage/decisions/decision-record.ts';
import type { ExportMetrics } from '../telemetry/export-metrics.ts';
import { openLineFile } from '../telemetry/line-file.ts';
import { openLineWriter } from '../telemetry/line-writer.ts';
import type { Logger } from '../telemetry/logger.ts';
import { checkLogTarget } from './check-log-target.ts';
import { type DecisionTrace, describeDecision } from './decision-document.ts';

/** Writes each decision as one line, for programs that collect logs. */
export interface DecisionLog {
  write(decision: DecisionRecord, trace: DecisionTrace): void;
  /** Opens the file again, after log rotation has moved it. */
  reopen(): void;
  close(withinMs?: number): Promise<void>;
}

/**
 * @param to `stdout`, or the path of a file. Null: there is no decision log, and it costs nothing.
 * @throws Error that names the target and the remedy, when no file can be written there.
 */
export function openDecisionLog({
  to,
  log,
  metrics,
}: {
  readonly to: string | null;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly metrics: Pick<ExportMetrics, 'logLinesLost'>;
}): DecisionLog | null {
  if (to === null) return null;
  checkLogTarget(to);
  const lines = to === 'stdout' ? standardOutput() : openFile(to);
  return {
    write: (decision, trace) => lines.write(`${describeDecision(decision, trace)}\n`),
    reopen: () => lines.reopen(),
    close: (withinMs) => lines.close(withinMs),
  };

  function openFile(path: string) {
    return openLineFile({
      path,
      onLost: metrics.logLinesLost,
      onFailure: (error) =>
        log.error(
          { err: error, file: path },
          'the decision log cannot be written: its lines wait in memory, and are lost when there are too many',
        ),
      onRecovery: () => log.info({ file: path }, 'the decision log is written again'),
    });
  }
}

/** Standard output. Whole lines are written, so they never mix with lines of the log. */
function standardOutput() {
  const { write, flush } = openLineWriter();
  return { write, reopen: () => {}, close: async () => flush() };
}
