import { type Static, Type } from '@sinclair/typebox';
import { EVIDENCE_FIELDS, type EvidenceField, type EvidenceFields } from '../assessment/evidence-fields.ts';
import { FACTORS, REASONS } from '../assessment/reasons.ts';
import { PROBLEMS } from '../http/problem.ts';

/**
 * The schemas of requests and answers, in one place: ajv validates requests with them, `openapi.json` is made from
 * them, and the tests check every answer against them.
 */

/** In characters; ajv counts code points. */
export const MAX_USER_AGENT_CHARACTERS = 2_048;

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
    { minItems: FACTORS.length, maxItems: FACTORS.length, description: 'One a factor, in this order.' },
  ),
  request_id: RequestId,
  processed_at: Time,
});

export const FeedbackRequest = Type.Object({
  label: oneOf(['legitimate', 'fraud'], 'What the signup turned out to be. Replaces an earlier label.'),
});
export type FeedbackRequest = Static<typeof FeedbackRequest>;

/** A field is present only when the reason has it. */
const EvidenceFieldsObject = Type.Unsafe<EvidenceFields>({
  type: 'object',
  description:
    'The same facts for programs: each field where the reason has it and it is known. Empty for decisions stored before fields were kept.',
  properties: Object.fromEntries(
    Object.entries<EvidenceField>(EVIDENCE_FIELDS).map(([name, { type, description, values }]) => [
      name,
      {
        ...{ type, description },
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
    'What was done: `forward`, `verify` or `block`; null at the API, which acts on nothing.',
  ),
  wanted_action: nullable('string', 'What the route asks for; in monitor mode it is not done.'),
  mode: nullable('string', '`enforce` or `monitor`; null at the API.'),
  degraded: Type.Boolean({ description: 'A factor was not evaluated, or not completely.' }),
  factors: Type.Array(
    Type.Object({
      factor: FactorName,
      state: oneOf(['evaluated', 'not_evaluated', 'listed']),
      score: Score,
      weight: Type.Number({ minimum: 0, maximum: 1, description: 'Its share of the mean.' }),
      risk_level: Level,
      findings: Type.Array(
        Type.Object({
          code: Code,
          points: Type.Number({ description: 'Taken off the factor.' }),
          description: Type.String(),
          evidence: nullable('string', 'What it was concluded from: a sentence for people.'),
          fields: EvidenceFieldsObject,
        }),
      ),
    }),
  ),
  mean: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Before caps and lists; null when no factor was evaluated.',
  }),
  caps: Type.Array(
    Type.Object({
      cap: oneOf(['one_high_factor', 'two_high_factors', 'decisive']),
      limit: Score,
      because: Type.Array(Type.String()),
    }),
  ),
  counterfactual: Type.Array(Type.Object({ without: Code, trust_score: Score, risk_level: Level }), {
    description: 'What the score would have been without one finding.',
  }),
  policy_revision: Type.String(),
  data_revision: Type.String(),
  outcome: nullable('string', 'What became of the signup.'),
  label: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['legitimate', 'fraud', null] }),
});

export const UsageResponse = Type.Object({
  plan: Type.String(),
  limit: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Null: the plan has none.' }),
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
      description: 'Of /readyz: since when this node counts alone, because shared counters do not answer.',
      examples: ['local since 2026-11-22T10:00:00.000Z'],
    }),
  ),
  records: Type.Optional(
    Type.String({
      description:
        'Of /readyz: since when the records do not answer or accept no writes. The gate goes on judging; the API answers 503.',
      examples: ['away since 2026-11-22T10:00:00.000Z'],
    }),
  ),
  changes: Type.Optional(
    Type.String({
      description:
        'Of /readyz: notifications of PostgreSQL do not arrive, as through a pooler in transaction mode. Changes of other nodes are read instead.',
      examples: ['read every 250 ms; notifications of PostgreSQL do not arrive'],
    }),
  ),
  configuration: Type.Optional(
    Type.String({
      description: 'Of /readyz: since when the content of the configuration file is refused.',
      examples: [
        'refused since 2026-11-22T10:00:00.000Z; the last valid one is active, and the log has the mistakes',
      ],
    }),
  ),
  nodes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Of /readyz: what differs between the nodes of one site: clock, configuration or data. The log, the dashboard and `gatekeeper nodes` name them.',
      examples: [['clock differs']],
    }),
  ),
  old_feeds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of /readyz: feeds that were last fetched too long ago, or never.',
    }),
  ),
  restart_needed: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of /readyz: settings whose new values wait for a restart.',
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
        description: 'Every bad field, by JSON pointer.',
      }),
    ),
  },
  { description: 'RFC 9457.' },
);
