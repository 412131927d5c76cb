import type { ClientSettings } from './client-options.ts';
import { GatekeeperError } from './gatekeeper-error.ts';
import { readAnswer } from './read-answer.ts';
import { isTemporary, retryDelayMs } from './retry.ts';

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  /** The path below the URL of the API, without a slash at its start. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly body?: string;
  /** Ends the call. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface ApiAnswer {
  /** The JSON object with its keys in camel case; undefined for 204. */
  readonly value: unknown;
  readonly headers: Headers;
}

/**
 * One call with its retries, all within the time limit. Every request of the API may be repeated: scoring carries an
 * idempotency key, and a label replaces the earlier label.
 * @throws {GatekeeperError} of the last try, or `time_limit_exceeded`; the reason of the signal when it ends the call.
 */
export async function callApi(settings: ClientSettings, call: ApiCall): Promise<ApiAnswer> {
  call.signal?.throwIfAborted();
  const { timeoutMs } = settings;
  const endsAt = performance.now() + timeoutMs;
  const controller = new AbortController();
  const abort = () => controller.abort(call.signal?.reason);
  call.signal?.addEventListener('abort', abort);
  let lastError: GatekeeperError | null = null;
  const timer = setTimeout(() => {
    const message = `Gatekeeper at ${settings.baseUrl} did not answer within ${timeoutMs} ms.`;
    controller.abort(new GatekeeperError('time_limit_exceeded', message, { cause: lastError ?? undefined }));
  }, timeoutMs);
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await send(settings, call, controller.signal);
      } catch (error) {
        controller.signal.throwIfAborted();
        if (!(error instanceof GatekeeperError) || !isTemporary(error) || tries > settings.retries)
          throw error;
        const delayMs = retryDelayMs(error, tries);
        // Waiting longer than the limit only delays the same error.
        if (performance.now() + delayMs >= endsAt) throw error;
        lastError = error;
        await wait(delayMs, controller.signal);
      }
    }
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
  }
}

async function send(settings: ClientSettings, call: ApiCall, signal: AbortSignal): Promise<ApiAnswer> {
  const { method, path, headers, body } = call;
  let response: Response;
  try {
    response = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: { accept: 'application/json', 'x-api-key': settings.apiKey, ...headers },
      ...(body !== undefined && { body }),
      // Without this, fetch would follow a redirect and send the key to another host.
      redirect: 'manual',
      signal,
    });
  } catch (cause) {
    throw connectionFailed(settings, cause);
  }
  try {
    return { value: await readAnswer(response), headers: response.headers };
  } catch (cause) {
    if (cause instanceof GatekeeperError) throw cause;
    throw connectionFailed(settings, cause);
  }
}

function connectionFailed({ baseUrl }: ClientSettings, cause: unknown): GatekeeperError {
  const message = `No connection to Gatekeeper at ${baseUrl}: ${reasonOf(cause)}. Is it running?`;
  return new GatekeeperError('connection_failed', message, { cause });
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  const { message, code } = (cause ?? error) as { readonly message?: string; readonly code?: string };
  return (message || code || String(error)).replace(/\.$/, '');
}

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
