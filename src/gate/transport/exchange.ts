import type { Dispatcher } from 'undici';
import type { ProblemError } from '../../http/problem.ts';
import { drainRequest } from '../../http/reply.ts';
import { breakOffAnswer, endAnswer } from './end-answer.ts';
import type { ExchangeDependencies } from './exchange-dependencies.ts';
import { answerHeaders, cleanReason, type RawHeaders } from './header-fields.ts';
import { Upload } from './upload.ts';
import type { ReuseRequirement, UpstreamConnection } from './upstream-connection.ts';
import { isConnectionEnd, refuseLateAnswer, upstreamProblem } from './upstream-problem.ts';

/** The most that is read of an answer whose client has disconnected. Its connection can then be reused. */
const MAX_UNWANTED_BYTES = 65_536;

/**
 * One request to the upstream and its answer to the client: a separate undici handler, because undici's `stream` costs
 * half of the time that its dispatcher saves. Both directions wait for the slower side. When the upstream disconnects,
 * the client's connection is closed, so a partial message never looks complete.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeDependencies;
  readonly #isStreamed: boolean;
  #connection: UpstreamConnection | null = null;
  #cancelAcquire: () => void = () => {};
  #reused = false;
  #sent = false;
  #answered = false;
  #retried = false;
  /** The complete answer was written to the response, or will never be. */
  #over = false;
  #interimSince: number | null = null;
  #status: number | null = null;
  #missingBytes: number | null = null;
  #bodyBegun = false;
  #unwantedBytes = 0;
  #resume: () => void = () => {};
  #stall: NodeJS.Timeout | null = null;

  constructor(parts: ExchangeDependencies) {
    this.#parts = parts;
    this.#isStreamed = parts.body !== null && !Buffer.isBuffer(parts.body);
  }

  start(): void {
    const { response, isRepeatable } = this.#parts;
    response.once('close', this.#onClientClose);
    if (response.destroyed) this.#onClientClose();
    else this.#connect(isRepeatable ? 'any' : 'proven');
  }

  onConnect(): void {
    this.#sent = true;
    if (!this.#connection) return;
    this.#reused = this.#connection.served > 0;
    this.#connection.served++;
    this.#connection.isWritten = true;
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onHeaders(status: number, rawHeaders: RawHeaders, resume: () => void, reason: string): boolean {
    // Interim answers (103 Early Hints) are optional, and some clients cannot read them.
    if (status < 200) {
      // During an upload they do not count: its client has limits of its own.
      if (this.#parts.request.complete) this.#interimSince ??= performance.now();
      refuseLateAnswer(this.#interimSince, this.#parts.responseTimeoutMs);
      return true;
    }
    if (this.#over) {
      // A request that has outlived its client is at the app now. A body that is streamed may still be on its way.
      if (!this.#isStreamed && this.#connection?.hasSentAll())
        process.nextTick(() => this.#abandonConnection());
      return true;
    }
    const { request, response, rewriteAnswer } = this.#parts;
    const answer = answerHeaders(rawHeaders, status);
    // undici aborts the request and passes this error to onError.
    if (!answer) throw new Error('The answer is in a transfer coding that is not known.');
    const { headers, length } = answer;
    // After an early answer, the rest of the upload is read and not awaited, so the connection cannot be reused.
    if (!request.complete) response.shouldKeepAlive = false;
    response.writeHead(status, cleanReason(reason), rewriteAnswer ? rewriteAnswer(headers) : headers);
    this.#status = status;
    this.#parts.onAnswer?.(status);
    this.#missingBytes = length;
    this.#resume = resume;
    if (status === 204 || status === 304 || this.#parts.method === 'HEAD' || length === 0) this.#end();
    // Most bodies arrive in the packet of their head and leave with it. A head that arrives alone is sent alone.
    else process.nextTick(this.#flushHead);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#over) {
      this.#unwantedBytes += chunk.length;
      // Not inside of undici's parser: its error for this socket would also meet the next request of the connection.
      if (this.#unwantedBytes > MAX_UNWANTED_BYTES) process.nextTick(this.#discardConnection);
      return true;
    }
    this.#bodyBegun = true;
    if (this.#missingBytes !== null) {
      this.#missingBytes -= chunk.length;
      if (this.#missingBytes === 0) {
        this.#end(chunk);
        return true;
      }
    }
    if (this.#parts.response.write(chunk)) return true;
    this.#waitForClient();
    return false;
  }

  onComplete(): void {
    // An upstream may answer before it has read the whole body. After a retry, two sockets may hold the buffer.
    if (!this.#retried && this.#connection?.hasSentAll()) this.#parts.releaseBody?.();
    this.#release(true);
    if (!this.#over) this.#end();
  }

  onError(error: Error): void {
    const connection = this.#connection;
    const isStale = this.#reused && !this.#answered && isConnectionEnd(error);
    if (isStale && connection) this.#parts.connections.markStale(connection);
    this.#release(false);
    if (this.#over) return;
    const isRepeatable = this.#parts.isRepeatable && !this.#isStreamed;
    if (isStale && isRepeatable && !this.#retried) {
      this.#retried = true;
      this.#connect('new');
      return;
    }
    this.#fail(upstreamProblem(error));
  }

  #connect(reuse: ReuseRequirement): void {
    const { connections, body } = this.#parts;
    this.#cancelAcquire = connections.acquire({
      reuse,
      isPaced: body instanceof Upload,
      use: (connection) => this.#dispatch(connection),
      fail: (problem) => this.#fail(problem),
    });
  }

  #dispatch(connection: UpstreamConnection): void {
    const { method, path, headers, body, isLast, responseTimeoutMs, servername } = this.#parts;
    this.#connection = connection;
    if (body instanceof Upload) connection.stalled = body;
    connection.client.dispatch(
      {
        method,
        path,
        headers,
        body,
        ...(isLast && { reset: true }),
        headersTimeout: responseTimeoutMs,
        // An answer may pause for any time: event streams do.
        bodyTimeout: 0,
        servername,
      } as Dispatcher.DispatchOptions,
      this,
    );
  }

  #release(isIntact: boolean): void {
    const connection = this.#connection;
    this.#connection = null;
    if (connection) this.#parts.connections.release(connection, isIntact);
  }

  readonly #discardConnection = () => {
    const connection = this.#connection;
    this.#connection = null;
    if (connection) this.#parts.connections.discard(connection);
  };

  #abandonConnection(): void {
    const { connections } = this.#parts;
    // An upload never ends without its client, and an answer that waited for the client is not read.
    const mayEnd = this.#stall === null && !this.#isStreamed;
    if (mayEnd && this.#connection && connections.abandon(this.#connection, this.#discardConnection)) return;
    this.#discardConnection();
  }

  readonly #flushHead = () => {
    if (!this.#bodyBegun && !this.#over) this.#parts.response.flushHeaders();
  };

  /** To close a socket with unread bytes resets it, and the reset can overtake the answer (RFC 9112 section 9.6). */
  #end(last?: Buffer): void {
    this.#over = true;
    const { request, response } = this.#parts;
    if (request.complete) {
      endAnswer(response, last, this.#parts.connections.acquiredCount() > 1);
      return;
    }
    this.#dropUpload();
    if (last) response.write(last);
    else response.flushHeaders();
    drainRequest(request, () => response.end());
  }

  #fail(problem: ProblemError): void {
    this.#over = true;
    const { request, response, done } = this.#parts;
    response.off('close', this.#onClientClose);
    this.#clearStall();
    this.#dropUpload();
    if (response.headersSent) breakOffAnswer(request, response, this.#missingBytes !== null);
    done({ status: this.#status, sent: this.#sent, problem });
  }

  #dropUpload(): void {
    const { body } = this.#parts;
    if (body !== null && !Buffer.isBuffer(body)) body.destroy();
  }

  readonly #onClientClose = () => {
    const { outlivesClient, done } = this.#parts;
    this.#over = true;
    this.#cancelAcquire();
    const livesOn = outlivesClient && this.#sent && this.#status === null;
    if (!livesOn) this.#abandonConnection();
    this.#clearStall();
    this.#dropUpload();
    done({ status: this.#status, sent: this.#sent, problem: null });
  };

  #waitForClient(): void {
    const { response, stallTimeoutMs } = this.#parts;
    const giveUp = () => void response.destroy();
    response.once('drain', this.#onDrain);
    this.#stall = setTimeout(giveUp, stallTimeoutMs);
    if (!this.#connection) return;
    const since = performance.now();
    this.#connection.stalled = { behindMs: () => performance.now() - since, giveUp };
  }

  readonly #onDrain = () => {
    this.#clearStall();
    if (this.#connection) this.#connection.stalled = null;
    this.#resume();
  };

  #clearStall(): void {
    if (this.#stall) clearTimeout(this.#stall);
    this.#stall = null;
  }
}
