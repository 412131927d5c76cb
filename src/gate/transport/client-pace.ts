/** An exchange that can go no faster than its client. */
export interface ClientPace {
  /** How far the client is behind the pace that it owes. */
  behindMs(): number;
  /** Ends the exchange for the benefit of others. */
  giveUp(): void;
}

interface Lent {
  readonly stalled: ClientPace | null;
}

/** Seldom seen on a phone that moves, and short beside the time for which requests wait for a connection. */
const MAY_BE_BEHIND_MS = 2_000;
const LOOK_AGAIN_MS = 500;

/**
 * What happens when connections are waited for that slow clients have: whoever is farthest behind loses his, one for each
 * request that comes to wait, and one more every half second while any waits.
 *
 * @returns to be called by each that comes to wait.
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
