import {
  createEngineMetrics,
  type EngineCalls,
  type RecordsMetrics,
  type SharedCountersMetrics,
} from './engine-metrics.ts';
import type { AlertMetrics, ExportMetrics, TraceMetrics } from './export-metrics.ts';
import { FIRST_SERIES } from './first-series.ts';
import {
  createDurationHistogram,
  createLabelledCounter,
  type DurationHistogram,
  type LabelledCounter,
} from './instruments.ts';
import type { JobName } from './job-names.ts';

/**
 * Counts since the start of the process. Each part of the program has its own functions. No label is an email, an
 * address, a token or a request id: the numbers reveal nothing about a person.
 */
export interface Metrics {
  readonly decisions: DecisionMetrics;
  readonly api: ApiMetrics;
  readonly gate: GateMetrics;
  readonly verification: VerificationMetrics;
  readonly sharedCounters: SharedCountersMetrics;
  readonly records: RecordsMetrics;
  readonly exports: ExportMetrics;
  readonly alerts: AlertMetrics;
  readonly traces: TraceMetrics;
  /** A processor threw. */
  factorFailed(factor: string): void;
  readonly counters: readonly LabelledCounter[];
  /** How long judging took, by door. */
  readonly judging: Readonly<Record<Door, DurationHistogram>>;
  /** How long decisions waited until they were durable, by door. */
  readonly recording: Readonly<Record<Door, DurationHistogram>>;
  /** How long calls to engines on other machines took. */
  readonly engineCalls: EngineCalls;
  /** A job in the background ran. */
  jobRan(job: JobName, isDone: boolean): void;
}

type Door = 'api' | 'gate';

/** The counted part of a judgement. */
export interface CountedJudgement {
  readonly attempt: { readonly door: string; readonly route: string | null };
  readonly elapsedMs: number;
  readonly degraded: boolean;
  readonly examinations: Readonly<Record<string, { readonly incomplete: string | null } | null>>;
}

/** The counted part of a decision. */
export interface CountedDecision {
  readonly judgement: CountedJudgement;
  /** Null when nothing could be scored. */
  readonly score: { readonly riskLevel: string } | null;
  /** Null at the API. */
  readonly action: string | null;
  readonly wantedAction: string | null;
  readonly mode: string | null;
}

export interface DecisionMetrics {
  /** @param test Whether the request had a test key: these are counted separately and not timed. */
  decided(decision: CountedDecision, test: boolean): void;
  /** A decision is durable. @param ms The time since it was given to the storage. */
  recorded(door: string, ms: number): void;
  /** A decision was not written in time; the signup continued. */
  unrecorded(): void;
}

export interface ApiMetrics {
  /** @param code The code of the problem; `ok` for an answer without a problem. */
  answered(status: number, code: string): void;
  shed(): void;
}

export interface GateMetrics {
  /** A request arrived; the argument is the result of the route match. */
  came(kind: 'pass' | 'own' | 'refuse' | 'gated'): void;
  /** A signup could not be held: `on_error` of the route decides the action. */
  holdFailed(action: string): void;
  /** @param code Of the problem document. */
  refused(code: string): void;
  upstreamFailed(code: string): void;
  /** A body that looks like a signup was not judged. */
  unjudged(method: string, path: string): void;
  /** A signup has no email in the field of its route. @param fields The names of its fields, or `other`. */
  missingEmail(route: string, fields: string): void;
  shed(kind: 'pass' | 'own' | 'refuse' | 'gated'): void;
}

export interface VerificationMetrics {
  /** The result for a signup that should be held. */
  hold(outcome: 'held' | 'offered' | 'kept' | 'not_kept' | 'full' | 'too_many_mails'): void;
  mail(result: 'sent' | 'failed' | 'retried' | 'rewritten' | 'over_budget'): void;
  /** A step of a held signup, or of several at once. */
  step(
    step:
      | 'confirmed'
      | 'wrong_code'
      | 'locked'
      | 'reported'
      | 'expired'
      | 'passed_again'
      | 'corrected'
      | 'let_in'
      | 'dismissed',
    by?: number,
  ): void;
  replayed(outcome: string): void;
}

export function createMetrics(): Metrics {
  const counters: LabelledCounter[] = [];
  const counter = (name: string, help: string, labels: readonly string[] = []): LabelledCounter => {
    const made = createLabelledCounter(name, { help, labels });
    for (const values of FIRST_SERIES[name] ?? []) made.count(values, 0);
    counters.push(made);
    return made;
  };
  const decisions = counter(
    'decisions_total',
    'Judged signups. action: what was done; wanted_action: what the route asks for; both empty for the API.',
    ['door', 'route', 'risk_level', 'action', 'wanted_action', 'mode'],
  );
  const testDecisions = counter('test_decisions_total', 'Answers to test keys.', ['risk_level']);
  const degraded = counter('degraded_decisions_total', 'Decisions without all of their factors.', ['door']);
  const degradedFactors = counter(
    'degraded_factors_total',
    'Factors that were not evaluated (late or failed), or not completely (one of their look-ups was late).',
    ['factor', 'state'],
  );
  const failures = counter('factor_failures_total', 'Factors not evaluated because they failed.', ['factor']);
  const onError = counter('on_error_total', 'Signups that on_error decided.', ['because', 'action']);
  const unrecorded = counter('unrecorded_decisions_total', 'Decisions not written before the action.');
  const shed = counter(
    'shed_requests_total',
    'Requests refused with 503 for the lag of the event loop. kind: as in gate_requests_total; empty for the API.',
    ['door', 'kind'],
  );
  const gateRequests = counter('gate_requests_total', 'Requests by what the routes make of them.', ['kind']);
  const refusals = counter('gate_refusals_total', 'Requests the gate refused with a problem document.', [
    'code',
  ]);
  const upstream = counter('upstream_problems_total', 'Requests without an answer of the app.', ['code']);
  const unjudged = counter(
    'gate_unjudged_signups_total',
    'Bodies that look like a signup and were not judged (proxy.watch).',
    ['method', 'path'],
  );
  const missingEmails = counter(
    'gate_missing_emails_total',
    'Signups without an email at the place of their route, by the names of the fields that they have.',
    ['route', 'fields'],
  );
  const answers = counter('api_answers_total', 'Answers of the API; code "ok": no problem.', [
    'status',
    'code',
  ]);
  const holds = counter('verification_holds_total', 'Signups that were to be held.', ['outcome']);
  const mails = counter('verification_mails_total', 'Mails of the verification.', ['result']);
  const steps = counter('verification_steps_total', 'What became of held signups.', ['step']);
  const replays = counter('verification_replays_total', 'Held signups sent on to the app.', ['outcome']);
  const engines = createEngineMetrics(counter);
  const lostLines = counter('decision_log_lost_lines_total', 'Lines that are missing in the decision log.');
  const exportTries = counter('export_requests_total', 'Requests that deliver decisions to a webhook.', [
    'export',
    'result',
  ]);
  const exported = counter('export_decisions_total', 'Decisions that a webhook received.', ['export']);
  const alertTries = counter('alert_messages_total', 'Tries to send a message to a receiver of alerts.', [
    'alert',
    'result',
  ]);
  const spans = counter('trace_spans_total', 'Spans for the receiver of traces, by what became of them.', [
    'result',
  ]);
  const jobRuns = counter('job_runs_total', 'Runs of the jobs in the background.', ['task', 'result']);
  const judging = { api: createDurationHistogram(), gate: createDurationHistogram() };
  const recording = { api: createDurationHistogram(), gate: createDurationHistogram() };

  function judged({ attempt, elapsedMs, degraded: isDegraded, examinations }: CountedJudgement): void {
    const { door } = attempt;
    if (door === 'api' || door === 'gate') judging[door].add(elapsedMs);
    if (!isDegraded) return;
    degraded.count([door]);
    for (const [factor, examination] of Object.entries(examinations)) {
      if (examination === null) degradedFactors.count([factor, 'not_evaluated']);
      else if (examination.incomplete !== null) degradedFactors.count([factor, 'incomplete']);
    }
  }

  return {
    counters,
    judging,
    recording,
    jobRan: (job, isDone) => jobRuns.count([job, isDone ? 'done' : 'failed']),
    factorFailed: (factor) => failures.count([factor]),
    decisions: {
      decided({ judgement, score, action, wantedAction, mode }, test) {
        const riskLevel = score?.riskLevel ?? 'none';
        if (test) {
          testDecisions.count([riskLevel]);
          return;
        }
        const { door, route } = judgement.attempt;
        decisions.count([door, route ?? '', riskLevel, action ?? '', wantedAction ?? '', mode ?? '']);
        if (score === null && wantedAction !== null) onError.count(['not_judged', wantedAction]);
        judged(judgement);
      },
      recorded(door, ms) {
        if (door === 'api' || door === 'gate') recording[door].add(ms);
      },
      unrecorded: () => unrecorded.count([]),
    },
    api: {
      answered: (status, code) => answers.count([String(status), code]),
      shed: () => shed.count(['api', '']),
    },
    gate: {
      came: (kind) => gateRequests.count([kind]),
      holdFailed: (action) => onError.count(['hold_failed', action]),
      refused: (code) => refusals.count([code]),
      upstreamFailed: (code) => upstream.count([code]),
      unjudged: (method, path) => unjudged.count([method, path]),
      missingEmail: (route, fields) => missingEmails.count([route, fields]),
      shed: (kind) => shed.count(['gate', kind]),
    },
    verification: {
      hold: (outcome) => holds.count([outcome]),
      mail: (result) => mails.count([result]),
      step: (step, by) => steps.count([step], by),
      replayed: (outcome) => replays.count([outcome]),
    },
    sharedCounters: engines.sharedCounters,
    records: engines.records,
    engineCalls: engines.calls,
    exports: {
      logLinesLost: (lines) => lostLines.count([], lines),
      tried: (name, result) => exportTries.count([name, result]),
      delivered: (name, decisions) => exported.count([name], decisions),
    },
    traces: { spans: (result, count) => spans.count([result], count) },
    alerts: { tried: (name, result) => alertTries.count([name, result]) },
  };
}
