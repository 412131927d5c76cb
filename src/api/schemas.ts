import { type Static, Type } from '@sinclair/typebox';
import { EVIDENCE_FIELDS, type EvidenceField, type EvidenceFields } from '../assessment/evidence-fields.ts';
import { FACTORS, REASONS } from '../assessment/reasons.ts';
import { PROBLEMS } from '../http/problem.ts';
import { MAX_USER_AGENT_CHARACTERS } from '../http/request-head.ts';

/**
 * The schemas of requests and answers, in one place. Ajv validates requests with them, `openapi.json` is made from
 * them, and the tests check every answer against them.
 */

const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, ...(description && { description }) });
const nullable = <const T extends string>(type: T, description: string) =>
  Type.Unsafe<string | null>({ type: [type, 'null'], description });

const Score = Type.Integer({ minimum: 0, maximum: 100 });
const Level = oneOf(['low', 'medium', 'high']);
const FactorName = oneOf(FACTORS);
const Code = oneOf(Object.keys(REASONS));
const Time = Type.String({ format: 'date-time' });
const RequestId = Type.String({ format: 'uuid' });

export const ScoreSignupRequest = Type.Object(
  {
    email: Type.String({ description: 'An RFC 5321 or RFC 6531 mailbox.', examples: ['ada@example.com'] }),
    ip_address: Type.String({ description: 'IPv4 or IPv6.', examples: ['198.51.100.7'] }),
    user_agent: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        // Ajv counts code points.
        maxLength: MAX_USER_AGENT_CHARACTERS,
        description: 'The User-Agent header of the sender. Absent, null, empty and blank all mean missing.',
      }),
    ),
  },
  { description: 'Unknown fields are ignored.' },
);
export type ScoreSignupRequest = Static<typeof ScoreSignupRequest>;

export const ScoreSignupResponse = Type.Object({
  trust_score: Score,
  risk_level: Level,
  reasons: Type.Array(
    Type.Object({
      factor: FactorName,
      score: Score,
      reason_code: Code,
      description: Type.String(),
      risk_level: Level,
    }),
    {
      minItems: FACTORS.length,
      maxItems: FACTORS.length,
      description: 'One reason for each factor, in this order.',
    },
  ),
  request_id: RequestId,
  processed_at: Time,
});

export const FeedbackRequest = Type.Object({
  label: oneOf(
    ['legitimate', 'fraud'],
    'Whether the signup was legitimate or fraud. Replaces an earlier label.',
  ),
});
export type FeedbackRequest = Static<typeof FeedbackRequest>;

/** A field is present only when the reason has this fact. */
const EvidenceFieldsObject = Type.Unsafe<EvidenceFields>({
  type: 'object',
  description:
    'The same facts for programs. A field is present when the reason has this fact and it is known. Empty for decisions stored before fields were kept.',
  properties: Object.fromEntries(
    Object.entries<EvidenceField>(EVIDENCE_FIELDS).map(([name, { type, description, values }]) => [
      name,
      {
        type,
        description,
        ...(type === 'array' && { items: { type: 'string' } }),
        ...(values && { enum: values }),
      },
    ]),
  ),
  additionalProperties: false,
});

export const DecisionResponse = Type.Object({
  request_id: RequestId,
  processed_at: Time,
  door: oneOf(['api', 'gate', 'cli', 'simulation']),
  route: nullable('string', 'The route of the gate; null at the API.'),
  trust_score: Score,
  risk_level: Level,
  action: nullable(
    'string',
    'The action that was taken: `forward`, `verify` or `block`. Null at the API, which takes no action.',
  ),
  wanted_action: nullable('string', 'The action that the route asks for. In monitor mode it is not taken.'),
  mode: nullable('string', '`enforce` or `monitor`; null at the API.'),
  degraded: Type.Boolean({ description: 'A factor was not evaluated, or not completely.' }),
  factors: Type.Array(
    Type.Object({
      factor: FactorName,
      state: oneOf(['evaluated', 'not_evaluated', 'listed']),
      score: Score,
      weight: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the factor in the mean.' }),
      risk_level: Level,
      findings: Type.Array(
        Type.Object({
          code: Code,
          points: Type.Number({ description: 'Points that this finding subtracts from the factor.' }),
          description: Type.String(),
          evidence: nullable('string', 'The facts that led to this finding, as a sentence for people.'),
          fields: EvidenceFieldsObject,
        }),
      ),
    }),
  ),
  mean: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'The weighted mean before caps and lists. Null when no factor was evaluated.',
  }),
  caps: Type.Array(
    Type.Object({
      cap: oneOf(['one_high_factor', 'two_high_factors', 'decisive']),
      limit: Score,
      because: Type.Array(Type.String()),
    }),
  ),
  counterfactual: Type.Array(Type.Object({ without: Code, trust_score: Score, risk_level: Level }), {
    description: 'The score without one finding.',
  }),
  policy_revision: Type.String(),
  data_revision: Type.String(),
  outcome: nullable('string', 'The outcome of the signup.'),
  label: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['legitimate', 'fraud', null] }),
});

export const UsageResponse = Type.Object({
  plan: Type.String(),
  limit: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The requests that the plan allows in a month. Null when the plan has no limit.',
  }),
  used: Type.Integer({ minimum: 0 }),
  remaining: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  resets_at: Time,
  days: Type.Array(
    Type.Object({ date: Type.String({ format: 'date' }), used: Type.Integer({ minimum: 0 }) }),
  ),
});

export const StatusResponse = Type.Object({
  status: oneOf(['ok']),
  counters: Type.Optional(
    Type.String({
      description:
        'In /readyz: the time since which this node counts alone, because the shared counters do not answer.',
      examples: ['local since 2026-11-22T10:00:00.000Z'],
    }),
  ),
  records: Type.Optional(
    Type.String({
      description:
        'In /readyz: the time since which the records do not answer or accept no writes. The gate continues to judge; the API answers 503.',
      examples: ['away since 2026-11-22T10:00:00.000Z'],
    }),
  ),
  changes: Type.Optional(
    Type.String({
      description:
        'In /readyz: notifications of PostgreSQL do not arrive, for example because a pooler runs in transaction mode. Instead, this node reads the changes of other nodes at short intervals.',
      examples: ['read every 250 ms; notifications of PostgreSQL do not arrive'],
    }),
  ),
  configuration: Type.Optional(
    Type.String({
      description: 'In /readyz: the time since which the content of the configuration file is refused.',
      examples: [
        'refused since 2026-11-22T10:00:00.000Z; the last valid one is active, and the log has the mistakes',
      ],
    }),
  ),
  nodes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'In /readyz: the differences between the nodes of one site: clock, configuration or data. The log, the dashboard and `gatekeeper nodes` name the nodes.',
      examples: [['clock differs']],
    }),
  ),
  old_feeds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'In /readyz: feeds that were last fetched too long ago, or never.',
    }),
  ),
  restart_needed: Type.Optional(
    Type.Array(Type.String(), {
      description: 'In /readyz: settings whose new values wait for a restart.',
      examples: [['proxy.upstream']],
    }),
  ),
});

export const Problem = Type.Object(
  {
    type: Type.String({ examples: ['urn:gatekeeper:problem:invalid_request'] }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    code: oneOf(Object.keys(PROBLEMS)),
    request_id: RequestId,
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
        description: 'Every invalid field, by JSON Pointer.',
      }),
    ),
  },
  { description: 'RFC 9457.' },
);
