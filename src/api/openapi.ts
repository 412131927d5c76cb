import { PROBLEMS, type ProblemCode } from '../http/problem.ts';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from './idempotency.ts';
import * as schemas from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly request?: keyof typeof schemas;
  readonly response: keyof typeof schemas | null;
  readonly headers?: Json;
  readonly parameters?: readonly Json[];
  /** False when the route works without a key. */
  readonly secured: boolean;
  readonly problems: readonly ProblemCode[];
}

const DECISIONS_FOR =
  'Of the account of the key; with a key that has the scope `gate`, also of the gate, whose request ids the app gets in `X-Gatekeeper-Request-Id` and in `jti` of the assertion. Any other decision is 404.';
const KEYED: readonly ProblemCode[] = ['missing_api_key', 'invalid_api_key', 'internal_error', 'overloaded'];
const BODIED: readonly ProblemCode[] = [
  ...['malformed_json', 'invalid_request', 'request_timeout', 'payload_too_large', 'unsupported_media_type'],
] as readonly ProblemCode[];

const header = (description: string): Json => ({ description, schema: { type: 'string' } });
const REQUEST_ID: Json = {
  name: 'request_id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
};

const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/score-signup': {
    post: {
      operationId: 'scoreSignup',
      summary: 'Score one signup attempt. Only an answer of 200 counts against the quota.',
      request: 'ScoreSignupRequest',
      response: 'ScoreSignupResponse',
      secured: true,
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'The same key and body within 24 hours get the stored answer, which does not count against the quota.',
          schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS },
        },
      ],
      headers: {
        'RateLimit-Policy': header('The limits of the plan. Absent when the plan has no limits.'),
        RateLimit: header('The rest of each limit.'),
        'Gatekeeper-Policy': header('The revision of the policy that gave this score.'),
        'Gatekeeper-Data': header('The revision of the data that gave this score.'),
        'Gatekeeper-Suggestion': header(
          'The domain that the sender probably meant, such as gmail.com. Absent when the domain does not look misspelled.',
        ),
      },
      problems: [...BODIED, ...KEYED, 'idempotency_key_reused', 'rate_limited', 'quota_exceeded'],
    },
  },
  '/decisions/{request_id}': {
    get: {
      operationId: 'findDecision',
      summary: 'One decision with its evidence and arithmetic.',
      description: DECISIONS_FOR,
      response: 'DecisionResponse',
      secured: true,
      parameters: [REQUEST_ID],
      problems: [...KEYED, 'not_found'],
    },
  },
  '/decisions/{request_id}/feedback': {
    post: {
      operationId: 'labelDecision',
      summary: 'Say what a signup turned out to be.',
      description: DECISIONS_FOR,
      request: 'FeedbackRequest',
      response: null,
      secured: true,
      parameters: [REQUEST_ID],
      problems: [...BODIED, ...KEYED, 'not_found'],
    },
  },
  '/usage': {
    get: {
      operationId: 'getUsage',
      summary: 'What the account used this month (UTC).',
      response: 'UsageResponse',
      secured: true,
      problems: KEYED,
    },
  },
  '/livez': {
    get: {
      operationId: 'getLiveness',
      summary: 'Whether the process is up.',
      response: 'StatusResponse',
      secured: false,
      problems: [],
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      summary:
        'Whether the process can score: data sets, storage and configuration are loaded, and the process is not shutting down.',
      response: 'StatusResponse',
      secured: false,
      problems: ['overloaded', 'shutting_down'],
    },
  },
};

/** The API as an OpenAPI 3.1 document. It is made from the schemas that validate requests. */
export function openApiDocument(): Json {
  const { ScoreSignupRequest, ScoreSignupResponse, FeedbackRequest } = schemas;
  const { DecisionResponse, UsageResponse, StatusResponse, Problem } = schemas;
  const paths = Object.entries(OPERATIONS).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, describe(operation)]),
    ),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatekeeper',
      version: '1',
      description: 'Trust scores for signups.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: {
        ScoreSignupRequest,
        ScoreSignupResponse,
        FeedbackRequest,
        DecisionResponse,
        UsageResponse,
        StatusResponse,
        Problem,
      },
    },
  };
}

function describe(operation: Operation): Json {
  const { operationId, summary, description, request, response, headers, parameters, secured, problems } =
    operation;
  const success = response
    ? {
        '200': {
          description: 'Done.',
          ...(headers && { headers }),
          content: content('application/json', response),
        },
      }
    : { '204': { description: 'Done.' } };
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    security: secured ? [{ apiKey: [] }] : [],
    ...(parameters && { parameters }),
    ...(request && { requestBody: { required: true, content: content('application/json', request) } }),
    responses: { ...success, ...problemResponses(problems) },
  };
}

function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      { description: group.join(', '), content: content('application/problem+json', 'Problem') },
    ]),
  );
}

function content(mediaType: string, schema: keyof typeof schemas): Json {
  return { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}
