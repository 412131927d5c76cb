import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ServerConfig } from '../config/config.ts';
import { type BodyBudget, createWorkBudget, noRoom } from '../gate/budgets.ts';
import { announcedBytes, BASE_UNITS, headOf } from '../gate/read-request.ts';
import { THE_TARGET } from '../gate/routes/find-routes.ts';
import type { RouteCandidate } from '../gate/routes/route-table.ts';
import { formFields, jsonFields } from '../gate/signup-body/body-fields.ts';
import { readQuery } from '../gate/signup-body/conditions.ts';
import { findSignup, type Signup } from '../gate/signup-body/find-signup.ts';
import { readSignup, type SignupHead, unitsFor } from '../gate/signup-body/read-signup.ts';
import { type BodyLimits, tooLarge } from '../http/read-body.ts';
import { peekBody } from './peek-body.ts';
import type { MiddlewareRules } from './read-middleware-options.ts';
import { readWebBody } from './read-web-body.ts';

/** The middleware is mounted at a place where it cannot read the body. */
export class MountError extends Error {
  override readonly name = 'MountError';
}

export interface ReaderOptions {
  readonly rules: MiddlewareRules;
  /** The memory for the bodies of all requests that wait for a decision. */
  readonly memory: BodyBudget;
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
}

/** A request, and its body if the framework has parsed it: an object, a text, bytes, or undefined. */
export interface SignupRequest {
  readonly request: IncomingMessage;
  readonly parsedBody: unknown;
  /** A copy of the unread body, if the framework has moved the body into a web stream. */
  readonly webBody?: ReadableStream<Uint8Array> | null;
}

/**
 * Finds the signup in a request. A parsed body is judged as the handler sees it. An unread body is read by the rules of
 * the gate and put back. Null: the request is not a signup.
 * @throws {ProblemError} when two parsers could read the body differently, or it is too large or too slow.
 * @throws {MountError} when the body was read, and its content is not there.
 */
export function createSignupReader({
  rules: { route },
  memory,
  limits,
}: ReaderOptions): (signup: SignupRequest) => Promise<Signup | null> {
  const pace = { timeoutMs: limits.body_timeout, minBytesPerSecond: limits.min_body_rate };
  const limitBytes = Math.min(route.max_body, memory.totalBytes);

  return async ({ request, parsedBody, webBody }) => {
    const budget = createWorkBudget(BASE_UNITS);
    const { url: target = '/', rawHeaders } = request;
    const head = { ...headOf({ target, rawHeaders }), budget };
    const candidates = [candidateFor(request)];
    const read = (bytes: Buffer) => {
      budget.grow(unitsFor(bytes.length, candidates));
      return readSignup({ ...head, bytes }, candidates);
    };
    if (Buffer.isBuffer(parsedBody)) return await read(parsedBody);
    if (typeof parsedBody === 'string') return await read(Buffer.from(parsedBody));
    if (isJsonScalar(parsedBody) && isJson(head) && wasRead(request))
      return await read(Buffer.from(JSON.stringify(parsedBody)));
    const isParsed =
      typeof parsedBody === 'object' && parsedBody !== null && !(parsedBody instanceof Readable);
    if (isParsed && (wasRead(request) || Object.keys(parsedBody).length > 0)) {
      budget.grow(unitsFor(Math.min(announcedBytes(request), limitBytes), candidates));
      return findInParsed(parsedBody, head, candidates);
    }
    if (announcedBytes(request) === 0 && request.httpVersionMajor === 1) return await read(Buffer.alloc(0));
    if (webBody) return await read(await readBody(request, (limits) => readWebBody(webBody, limits)));
    refuseUnreadable(request);
    return await read(await readBody(request, (limits) => peekBody(request, limits)));
  };

  function candidateFor({ method = 'GET' }: IncomingMessage): RouteCandidate {
    const bodyCondition = method === 'POST' ? 'none' : 'email field';
    return { route, pathVariant: route.path, source: THE_TARGET, bodyCondition };
  }

  async function readBody(
    request: IncomingMessage,
    readWithin: (limits: BodyLimits) => Promise<Buffer>,
  ): Promise<Buffer> {
    const length = announcedBytes(request);
    if (length > limitBytes && length < Number.POSITIVE_INFINITY) throw tooLarge(limitBytes);
    const release = memory.reserve(Math.min(length, limitBytes));
    if (!release) throw noRoom();
    try {
      return await readWithin({ limitBytes, ...pace });
    } finally {
      release();
    }
  }
}

/** Whether a part of the body has left the stream, or is about to leave it. */
export function wasRead(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded || request.readableFlowing === true;
}

/** A JSON parser that is not strict, as that of Fastify, returns these values. A sender can cause them. */
function isJsonScalar(parsedBody: unknown): boolean {
  return parsedBody === null || typeof parsedBody === 'number' || typeof parsedBody === 'boolean';
}

function isJson({ contentTypes }: SignupHead): boolean {
  return contentTypes.some((type) => /json/i.test(type));
}

function refuseUnreadable(request: IncomingMessage): void {
  if (wasRead(request))
    throw new MountError(
      'judgeSignup: the body was read before, and the parsed body is missing. Mount judgeSignup before the reader of the ' +
        'body, or after a body parser that keeps it, such as express.json()',
    );
  if (request.readableEncoding !== null)
    throw new MountError('judgeSignup: mount it before the call of request.setEncoding');
  if (request.httpVersionMajor > 1)
    throw new MountError('judgeSignup: over HTTP/2, mount it after the body parser');
}

/** A parser without nesting writes `user[email]` as one name. It writes several fields with one name as a list. */
function findInParsed(body: object, head: SignupHead, candidates: readonly RouteCandidate[]): Signup | null {
  const { budget, rawHeaders, target } = head;
  const fields =
    isJson(head) || !isFlat(body)
      ? jsonFields(body, budget)
      : formFields(
          Object.entries(body).flatMap(([name, values]) =>
            [values].flat().map((value) => ({ name, value: String(value) })),
          ),
          budget,
        );
  const parsed = { fields, json: body, mentions: () => [] };
  return findSignup(parsed, { query: readQuery(target), rawHeaders, budget }, candidates);
}

function isFlat(body: object): boolean {
  return (
    !Array.isArray(body) &&
    Object.values(body).every((value) => [value].flat().every((one) => typeof one === 'string'))
  );
}
