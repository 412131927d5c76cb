import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import type { ApiDependencies, Exchange } from './exchange.ts';

/** For the body of `POST /score-signup`. */
const BODY_LIMIT_BYTES = 16_384;

/**
 * The bytes of a JSON request.
 *
 * @throws {ProblemError} `unsupported_media_type`, `payload_too_large`, `request_timeout`.
 */
export async function readJsonBytes(
  { request, response }: Exchange,
  { limits, senderOf }: Pick<ApiDependencies, 'limits' | 'senderOf'>,
): Promise<Buffer> {
  checkMediaType(request.headers);
  return await readBody(request, response, {
    limitBytes: BODY_LIMIT_BYTES,
    timeoutMs: limits.body_timeout,
    minBytesPerSecond: limits.min_body_rate,
    senderOf: () => senderOf(request),
  });
}

function checkMediaType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without a content encoding.');
  }
  const type = headers['content-type'];
  if (type === 'application/json') return;
  const [mediaType = '', ...parameters] = (type ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw unsupported('Send the body as Content-Type: application/json.');
  }
  for (const parameter of parameters) {
    const [name = '', ...value] = parameter.split('=');
    if (name.trim().toLowerCase() === 'charset' && !/^(?:utf-?8|"utf-?8")$/i.test(value.join('=').trim()))
      throw unsupported('Send the body in UTF-8.');
  }
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported_media_type', detail);
}
