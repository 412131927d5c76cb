/** An exchange that is limited by the speed of its client. */
export interface ClientPace {
  /** The time by which the client is behind the minimum pace. */
  behindMs(): number;
  /** Ends the exchange, so another request can use its connection. */
  giveUp(): void;
}

interface Lent {
  readonly stalled: ClientPace | null;
}

/**
 * A moving phone is rarely behind by this time, and it is short compared with the time that requests wait for a
 * connection.
 */
const MAY_BE_BEHIND_MS = 2_000;
const LOOK_AGAIN_MS = 500;

/**
 * Runs when requests wait while slow clients hold connections. The slowest client loses its connection: one client for
 * each waiting request, and one more every half second while any request waits.
 * @returns a function to call for each request that begins to wait.
 */
export function createStalledEviction(lent: ReadonlySet<Lent>, isWaitedFor: () => boolean): () => void {
  let willLookAgain = false;
  const evictSlowest = () => {
    slowestOf(lent)?.giveUp();
    if (willLookAgain) return;
    willLookAgain = true;
    setTimeout(() => {
      willLookAgain = false;
      if (isWaitedFor()) evictSlowest();
    }, LOOK_AGAIN_MS);
  };
  return evictSlowest;
}

function slowestOf(lent: ReadonlySet<Lent>): ClientPace | null {
  let slowest: ClientPace | null = null;
  let mostMs = MAY_BE_BEHIND_MS;
  for (const { stalled } of lent) {
    const behindMs = stalled?.behindMs() ?? 0;
    if (behindMs < mostMs) continue;
    slowest = stalled;
    mostMs = behindMs;
  }
  return slowest;
}
