import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJsonBody } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';

const ACTIONS = ['confirm', 'resend', 'report', 'use_suggestion'] as const;
export type VerifyAction = (typeof ACTIONS)[number];

/** The fields that a form or a program sends. */
export interface VerifyForm {
  /** Whether the client is a program, which gets JSON. */
  readonly json: boolean;
  readonly action: VerifyAction;
  /** The code as typed. */
  readonly code: string;
}

/** A small limit is enough, since a form has one short field. */
export const VERIFY_FORM_LIMITS = { limitBytes: 4_096, timeoutMs: 10_000, minBytesPerSecond: 1_024 };

/**
 * @throws {ProblemError} when the body is too large or too slow, or when it is not a form and not JSON.
 * @throws {BodyAbortedError} when the client disconnected.
 */
export async function readVerifyForm(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<VerifyForm> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (request.headers['content-encoding'] !== undefined) throw unsupported();
  const bytes = await readBody(request, response, VERIFY_FORM_LIMITS);
  if (type === 'application/json') return readJson(bytes);
  if (type === undefined && bytes.length > 0) throw unsupported();
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') throw unsupported();
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return { json: false, action: readAction(fields.get('action')), code: fields.get('code') ?? '' };
}

function readJson(bytes: Buffer): VerifyForm {
  const value = bytes.length === 0 ? {} : parseJsonBody(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError('invalid_request', 'The body must be a JSON object such as {"code": "123456"}.');
  }
  const { action, code } = value as { readonly action?: unknown; readonly code?: unknown };
  return {
    json: true,
    action: readAction(action),
    code: typeof code === 'string' ? code : '',
  };
}

/** A missing action confirms. An unknown action is an error, so that a misspelled "report" does not confirm. */
function readAction(action: unknown): VerifyAction {
  if (action === undefined || action === null) return 'confirm';
  const known = ACTIONS.find((one) => one === action);
  if (known !== undefined) return known;
  throw new ProblemError(
    'invalid_request',
    'The action must be "confirm", "resend", "report" or "use_suggestion".',
  );
}

function unsupported(): ProblemError {
  return new ProblemError(
    'unsupported_media_type',
    'Send the code as application/json, or as application/x-www-form-urlencoded.',
  );
}
