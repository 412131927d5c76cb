import { camelCaseKeys } from './camel-case.ts';
import { GatekeeperError } from './gatekeeper-error.ts';
import { ProblemError } from './problem-error.ts';
import { readRetryAfter } from './retry.ts';

/** The largest answer that is read. A decision has only a few kilobytes. */
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * The JSON of a successful answer, keys in camel case; undefined for 204.
 * @throws {ProblemError} for a problem document.
 * @throws {GatekeeperError} `unexpected_answer` for an answer of another program.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const { status, headers } = response;
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect) {
    await response.body?.cancel();
    throw unexpected(response, `redirects${to(headers)}. Redirects are not followed: they would get the key`);
  }
  const text = await readText(response);
  const value = parseObject(text);
  if (response.ok) {
    if (value !== null) return value;
    throw unexpected(response, 'answered with something that is not a JSON object');
  }
  const retryAfterSeconds = readRetryAfter(headers);
  if (value !== null && typeof value.code === 'string') {
    const { code, detail, requestId, errors } = value;
    const problem = {
      code,
      status,
      detail: typeof detail === 'string' ? detail : `The API answered ${status}.`,
      requestId: typeof requestId === 'string' ? requestId : null,
      errors: Array.isArray(errors) ? errors : [],
    };
    throw new ProblemError(problem, retryAfterSeconds);
  }
  throw unexpected(response, `answered ${status} without a problem document`, retryAfterSeconds);
}

/** The size is checked while the answer arrives: an endless answer is cancelled. */
async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw unexpected(response, `answered with more than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    // Renaming the keys of a deeply nested value overflows the stack. No answer of the API is deeply nested.
    const value = camelCaseKeys(JSON.parse(text));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function to(headers: Headers): string {
  const location = headers.get('location');
  return location === null ? '' : ` to ${location.slice(0, 200)}`;
}

/** The error for an answer of another program: a proxy, a captive portal, or an app at the same port. */
function unexpected(
  response: Response,
  what: string,
  retryAfterSeconds: number | null = null,
): GatekeeperError {
  const message = `${response.url || 'The server'} ${what}. Check that url is the URL of the API.`;
  return new GatekeeperError('unexpected_answer', message, { status: response.status, retryAfterSeconds });
}
