/**
 * Learns when the upstream closes connections that are idle, so that requests which may not be sent twice avoid those.
 * Only what the upstream did to an idle connection may be reported here: a connection that we ended says nothing.
 */
export interface ReusePolicy {
  /** The upstream closed a connection after it had been idle for so long. */
  closedAfter(idleMs: number): void;
  /** A connection was still open after it had been idle for so long. */
  openAfter(idleMs: number): void;
  /** A request was answered on a connection that had been idle for so long. */
  answeredAfter(idleMs: number): void;
  /** Whether the upstream is not likely to have closed a connection that was idle for so long. */
  mayReuse(idleMs: number): boolean;
}

/** Servers wait longer than this for the next request: one that closes earlier closes for another reason. */
const SHORTEST_IDLE_TIMEOUT_MS = 100;
/** How long an idle timeout is remembered. */
const REMEMBER_TIMEOUT_MS = 60_000;
/** After so long without a close right behind an answer, the next answer may be trusted again. */
const REMEMBER_PROMPT_CLOSE_MS = 1_000;
/** Of reused connections, one in so many may be closed right behind its answer. */
const TOLERATED_SHARE = 8;
const MAX_CREDIT = 64;

/**
 * Two habits are told apart. An idle timeout holds for every connection: half of it is safe, and one connection that is
 * open after twice that time refutes it. A close right behind an answer is a habit only where it happens often: one
 * request that has the upstream close its connection, or a restart, must not cost every other request a new one.
 */
export function createReusePolicy(now: () => number = () => performance.now()): ReusePolicy {
  let idleTimeoutMs = Number.POSITIVE_INFINITY;
  let forgetTimeoutAt = 0;
  let credit = TOLERATED_SHARE;
  let promptCloseAt = 0;

  function openAfter(idleMs: number): void {
    if (idleMs > idleTimeoutMs * 2) idleTimeoutMs = Number.POSITIVE_INFINITY;
  }

  return {
    closedAfter(idleMs) {
      if (idleMs < SHORTEST_IDLE_TIMEOUT_MS) {
        credit = Math.max(-TOLERATED_SHARE, credit - TOLERATED_SHARE);
        promptCloseAt = now();
        return;
      }
      const known = now() > forgetTimeoutAt ? Number.POSITIVE_INFINITY : idleTimeoutMs;
      idleTimeoutMs = Math.min(known, idleMs);
      forgetTimeoutAt = now() + REMEMBER_TIMEOUT_MS;
    },
    openAfter,
    answeredAfter(idleMs) {
      if (credit < MAX_CREDIT) credit++;
      openAfter(idleMs);
    },
    mayReuse(idleMs) {
      if (idleMs >= idleTimeoutMs / 2) return now() > forgetTimeoutAt;
      return (
        credit >= 0 || idleMs >= SHORTEST_IDLE_TIMEOUT_MS || now() - promptCloseAt > REMEMBER_PROMPT_CLOSE_MS
      );
    },
  };
}
