import { createSenderQueue, type SenderQueue } from '../sender-queue.ts';

export interface LagMonitor {
  /**
   * Whether new work should be refused because the process is too slow for its present work.
   * @param timesLimit The refused lag as a multiple of the limit. Default: 1.
   */
  isOverloaded(timesLimit?: number): boolean;
  /**
   * Whether the next request of this sender would wait longer than the limit for its turn.
   * @param senderOf Names the sender; called only while requests wait.
   */
  isLate(senderOf: () => string): boolean;
  /** The current lag of the event loop, in milliseconds: the median of the last samples. */
  lagMs(): number;
  close(): void;
}

const SAMPLE_EVERY_MS = 50;
/**
 * The number of samples for the median. One or two pauses (garbage collection, a burst of new connections, another
 * process) are not an overload. A loop that is late for a whole second is an overload.
 */
const SAMPLES = 9;

/** Measures the delay of a timer. Early refusals keep the latency of accepted requests bounded. */
export function openLagMonitor({
  maxLagMs,
  turns = PROCESS_TURNS,
}: {
  readonly maxLagMs: number;
  readonly turns?: Turns;
}): LagMonitor {
  const samples = new Array<number>(SAMPLES).fill(0);
  let next = 0;
  let median = 0;
  let dueAt = performance.now() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    samples[next++ % SAMPLES] = Math.max(0, now - dueAt);
    median = samples.toSorted((a, b) => a - b)[SAMPLES >> 1] ?? 0;
    dueAt = now + SAMPLE_EVERY_MS;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    isOverloaded: (timesLimit = 1) => median > maxLagMs * timesLimit,
    isLate: (senderOf) => turns.expectedWaitMs(senderOf) > maxLagMs,
    lagMs: () => median,
    close: () => clearInterval(timer),
  };
}

/** The work of `runInTurn` that begins in one turn of the event loop. Everything else waits for the end of the turn. */
const UNITS_PER_TURN = 128;
/** No further act begins in a turn after this time. */
const TURN_MS = 10;
/**
 * While clients connect and more units than these wait, so many turns and so much time without such work come between two
 * turns with it: the system hands over one new connection in each turn, and a turn of even 64 requests takes milliseconds.
 */
const UNITS_WHILE_ACCEPTING = 16;
const TURNS_TO_ACCEPT = 8;
const ACCEPT_MS = 10;
const WEIGHT_OF_NEWEST_TURN = 0.2;
/** Requests that wait for less than this are a burst, which is served. */
const BURST_MS = 1_000;

/** A sender with too many waiting requests is refused after this time: refused at once, a flood would ask again at once. */
export const REFUSE_LATE_AFTER_MS = 2_000;

/** Runs the steps of requests in turns of the event loop. An act must not throw: those behind it would wait forever. */
export interface Turns {
  /**
   * Calls back at the end of this tick of the event loop. All callers of this tick are called in one batch. So the same
   * step of several requests runs with warm caches, which makes a judged signup and a forwarded request a quarter
   * cheaper.
   */
  runInTickBatch(act: () => void): void;
  /**
   * Like `runInTickBatch`, for the start of work: only so much in one turn of the event loop, so that connections are
   * accepted and other requests are served in between. When more waits, senders take turns: a flood from one address
   * delays others by milliseconds.
   * @param senderOf Names the sender; called only when others wait.
   * @param units The expected work, in units of a forwarded request, which takes about 70 µs.
   */
  runInTurn(act: () => void, senderOf: () => string, units: number): void;
  /** Runs it now when it is the first one in this turn of the event loop, else as `runInTurn`. */
  runFirstNow(act: () => void, senderOf: () => string, units: number): void;
  /**
   * Runs it now while nothing waits and half a turn has not begun, else as `runInTurn`. A client that says with its request
   * that it sends no more gets an answer only when the answer is written in the same turn.
   */
  runWhileFree(act: () => void, senderOf: () => string, units: number): void;
  /** A client has connected, and more may be waiting. */
  noteAccepted(): void;
  /** The time until the next act of this sender would begin, when some have waited for a second or more; else 0. */
  expectedWaitMs(senderOf: () => string): number;
}

interface Waiting {
  readonly act: () => void;
  readonly senderOf: () => string;
  readonly units: number;
}

/** @param now Milliseconds of a clock that is never set. */
export function createTurns(now: () => number): Turns {
  let acts: (() => void)[] = [];
  let isScheduled = false;
  let arrived: Waiting[] = [];
  let arrivedUnits = 0;
  /** Begun by `runWhileFree` in this turn. */
  let begunUnits = 0;
  /** Acts that wait for a later turn. Null when none waits. */
  let bySender: SenderQueue<Waiting> | null = null;
  let crowdedSince = 0;
  let hasAccepted = false;
  let turnsToAccept = 0;
  let acceptUntil = 0;
  let lastTurnAt = 0;
  let actsInTurn = 0;
  /** Of turns in which some found no place, the average of the last ones. */
  let turnMs = 0;
  let actsPerTurn = 1;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(callBack);
  }

  function callBack(): void {
    isScheduled = false;
    begunUnits = 0;
    const due = acts;
    acts = [];
    for (const act of due) act();
    if (!acceptsFirst()) {
      runTurn();
      turnsToAccept = 0;
      acceptUntil = now() + ACCEPT_MS;
    }
    hasAccepted = false;
    if (bySender !== null || arrived.length > 0) schedule();
  }

  function acceptsFirst(): boolean {
    const isBusy = bySender !== null || arrivedUnits > UNITS_WHILE_ACCEPTING;
    return isBusy && hasAccepted && (turnsToAccept++ < TURNS_TO_ACCEPT || now() < acceptUntil);
  }

  function runTurn(): void {
    const isCrowded = bySender !== null || arrivedUnits > UNITS_PER_TURN;
    const startedAt = now();
    measureTurn(startedAt);
    if (bySender === null) crowdedSince = startedAt;
    const batch = arrived;
    arrived = [];
    arrivedUnits = 0;
    if (isCrowded) {
      takeTurns(addAll(batch), startedAt);
      return;
    }
    for (const { act } of batch) {
      actsInTurn++;
      act();
      if (actsInTurn === batch.length || now() - startedAt < TURN_MS) continue;
      addAll(batch.slice(actsInTurn));
      return;
    }
  }

  function addAll(batch: readonly Waiting[]): SenderQueue<Waiting> {
    bySender ??= createSenderQueue();
    for (const waiting of batch) bySender.add(waiting.senderOf(), waiting);
    return bySender;
  }

  function takeTurns(queue: SenderQueue<Waiting>, startedAt: number): void {
    let units = 0;
    for (let first = queue.next(); first; first = queue.next()) {
      if (queue.size === 0) bySender = null;
      units += first.units;
      actsInTurn++;
      first.act();
      if (units >= UNITS_PER_TURN || now() - startedAt >= TURN_MS) return;
    }
  }

  /**
   * The time from the last turn to this one, and the acts in it, when some must wait for a later turn. A pause of the
   * process makes one turn long, but not the next ones. So a turn counts as at most about twice the usual time.
   */
  function measureTurn(startedAt: number): void {
    if (bySender !== null) {
      const tookMs = Math.min(startedAt - lastTurnAt, 2 * turnMs + TURN_MS);
      turnMs += (tookMs - turnMs) * WEIGHT_OF_NEWEST_TURN;
      actsPerTurn += (actsInTurn - actsPerTurn) * WEIGHT_OF_NEWEST_TURN;
    }
    actsInTurn = 0;
    lastTurnAt = startedAt;
  }

  const runInTurn: Turns['runInTurn'] = (act, senderOf, units) => {
    arrived.push({ act, senderOf, units });
    arrivedUnits += units;
    schedule();
  };

  return {
    runInTickBatch(act) {
      acts.push(act);
      schedule();
    },
    runInTurn,
    runFirstNow(act, senderOf, units) {
      if (isScheduled) {
        runInTurn(act, senderOf, units);
        return;
      }
      schedule();
      act();
    },
    runWhileFree(act, senderOf, units) {
      if (bySender !== null || arrived.length > 0 || begunUnits + units > UNITS_PER_TURN / 2) {
        runInTurn(act, senderOf, units);
        return;
      }
      begunUnits += units;
      schedule();
      act();
    },
    noteAccepted() {
      hasAccepted = true;
    },
    expectedWaitMs(senderOf) {
      if (bySender === null || now() - crowdedSince < BURST_MS) return 0;
      const own = bySender.countOf(senderOf());
      const senders = bySender.senders + (own === 0 ? 1 : 0);
      return (((own + 1) * senders) / Math.max(1, actsPerTurn)) * turnMs;
    },
  };
}

/** The one event loop of this process. */
const PROCESS_TURNS = createTurns(() => performance.now());
export const { runInTickBatch, runInTurn, runFirstNow, runWhileFree, noteAccepted } = PROCESS_TURNS;
