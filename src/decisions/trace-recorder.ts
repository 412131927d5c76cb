import type { Tracer } from '../telemetry/tracer.ts';
import type { DecisionRecorder } from './decision-recorder.ts';
import type { Decision } from './judge-attempts.ts';

/**
 * The wait for the storage as a span: a decision waits for others of its group. What was decided is noted at the request.
 * @param system The database, as OpenTelemetry calls it.
 */
export function traceRecorder(
  recorder: DecisionRecorder,
  { tracer, system }: { readonly tracer: Tracer; readonly system: 'postgresql' | 'sqlite' },
): DecisionRecorder {
  const description = (operation: string) =>
    ({
      name: operation,
      kind: 'client',
      attributes: { 'db.system.name': system, 'db.operation.name': operation },
    }) as const;
  const record = description('record decision');
  const commit = description('commit decision');

  function note({ judgement, score, action }: Decision): void {
    tracer.requestSpan()?.set({
      'gatekeeper.request_id': judgement.attempt.requestId,
      'gatekeeper.risk_level': score?.riskLevel ?? 'none',
      ...(action !== null && { 'gatekeeper.action': action }),
    });
  }

  return {
    record(decision, storePlain) {
      note(decision);
      return tracer.span(record, async (span) => {
        const recorded = await recorder.record(decision, storePlain);
        if (!recorded.isStored) span.fail('not_stored');
        return recorded;
      });
    },
    commit(decision, counted) {
      note(decision);
      return tracer.span(commit, () => recorder.commit(decision, counted));
    },
  };
}
