import type { Judge } from './assessment/judge.ts';
import type { Processor } from './assessment/processor.ts';
import type { Tracer } from './telemetry/tracer.ts';

/** Each processor of the judge as a span under that of the judge. */
export function traceProcessor(processor: Processor, tracer: Tracer): Processor {
  const { factor } = processor;
  const name = `examine ${factor}`;
  return {
    ...processor,
    factor,
    examine: (attempt, outcome) =>
      tracer.span({ name, attributes: { 'gatekeeper.factor': factor } }, () =>
        processor.examine(attempt, outcome),
      ),
  };
}

export function traceJudge(judge: Judge, tracer: Tracer): Judge {
  return {
    policy: judge.policy,
    get policyRevision() {
      return judge.policyRevision;
    },
    judge: (attempt, isRefused) =>
      tracer.span({ name: 'judge' }, (span) => {
        const judging = judge.judge(attempt, isRefused);
        const note = <T extends Awaited<typeof judging>>(judgement: T): T => {
          const { riskLevel, degraded } = judgement;
          span.set({ 'gatekeeper.risk_level': riskLevel, 'gatekeeper.degraded': degraded });
          return judgement;
        };
        return judging instanceof Promise ? judging.then(note) : note(judging);
      }),
  };
}
