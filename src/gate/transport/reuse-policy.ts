/**
 * Learns when the upstream closes idle connections, so that requests which must not be sent twice avoid those
 * connections. Report only what the upstream did to an idle connection: a connection that the gate ended proves
 * nothing.
 */
interface ReusePolicy {
  /** The upstream closed a connection after this idle time. */
  closedAfter(idleMs: number): void;
  /** A connection was still open after this idle time. */
  openAfter(idleMs: number): void;
  /** A request was answered on a connection after this idle time. */
  answeredAfter(idleMs: number): void;
  /** Whether the upstream has probably not closed a connection after this idle time. */
  mayReuse(idleMs: number): boolean;
}

/** Servers wait longer than this for the next request. A server that closes earlier has another reason. */
const SHORTEST_IDLE_TIMEOUT_MS = 100;
/** The time for which an idle timeout is remembered. */
const REMEMBER_TIMEOUT_MS = 60_000;
/** When no close follows an answer for this time, the next answer counts as reliable again. */
const REMEMBER_PROMPT_CLOSE_MS = 1_000;
/** One in this many reused connections may be closed right after its answer. */
const TOLERATED_SHARE = 8;
const MAX_CREDIT = 64;

/**
 * Servers show two patterns. An idle timeout applies to every connection: half of that time is safe, and a connection
 * that is open after twice that time disproves it. A close right after an answer is a pattern only when it is frequent:
 * one request that makes the upstream close its connection, or a restart, must not cost every other request a new
 * connection.
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
