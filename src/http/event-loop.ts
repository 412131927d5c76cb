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
export function openLagMonitor({ maxLagMs }: { readonly maxLagMs: number }): LagMonitor {
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
    isLate: (senderOf) => bySender.size > 0 && expectedWaitMs(senderOf()) > maxLagMs,
    lagMs: () => median,
    close: () => clearInterval(timer),
  };
}

let acts: (() => void)[] = [];
let isScheduled = false;

/**
 * Calls back at the end of this tick of the event loop. All callers of this tick are called in one batch. So the same
 * step of several requests runs with warm caches, which makes a judged signup and a forwarded request a quarter
 * cheaper.
 * @param act It must not throw, because the callers after it would wait forever.
 */
export function runInTickBatch(act: () => void): void {
  acts.push(act);
  schedule();
}

interface Waiting {
  readonly act: () => void;
  readonly senderOf: () => string;
  readonly units: number;
}

/**
 * The work of `runInTurn` that begins in one turn of the event loop, in units of a forwarded request, which takes about
 * 70 µs. Everything else waits for the end of the turn.
 */
const UNITS_PER_TURN = 128;
/** No further act begins in a turn after this time. */
const TURN_MS = 10;
/** Turns without such work while clients connect: the system hands over one new connection in each turn. */
const TURNS_TO_ACCEPT = 8;
const WEIGHT_OF_NEWEST_TURN = 0.2;

let arrived: Waiting[] = [];
let arrivedUnits = 0;
/** Those that found no place in their turn. The sender whose turn is next comes first. */
const bySender = new Map<string, Waiting[]>();
let hasAccepted = false;
let turnsToAccept = 0;
let lastTurnAt = 0;
/** Of crowded turns, the average of the last ones. */
let turnMs = 0;
let actsPerTurn = 1;
let actsInTurn = 0;

/**
 * Like `runInTickBatch`, for the start of work: only so much in one turn of the event loop, so that connections are
 * accepted and other requests are served in between. When more waits, senders take turns: a flood from one address delays
 * others by milliseconds.
 * @param act It must not throw.
 * @param senderOf Names the sender; called only when others wait.
 * @param units The expected work, in units of a forwarded request.
 */
export function runInTurn(act: () => void, senderOf: () => string, units: number): void {
  arrived.push({ act, senderOf, units });
  arrivedUnits += units;
  schedule();
}

/** Runs it now when it is the first one in this turn of the event loop, else as `runInTurn`. */
export function runFirstNow(act: () => void, senderOf: () => string, units: number): void {
  if (isScheduled) {
    runInTurn(act, senderOf, units);
    return;
  }
  schedule();
  act();
}

/** A client has connected, and more may be waiting. */
export function noteAccepted(): void {
  hasAccepted = true;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(callBack);
}

function callBack(): void {
  isScheduled = false;
  const due = acts;
  acts = [];
  for (const act of due) act();
  runTurn();
  hasAccepted = false;
  if (bySender.size > 0 || arrived.length > 0) schedule();
}

function runTurn(): void {
  const isCrowded = bySender.size > 0 || arrivedUnits > UNITS_PER_TURN;
  if (isCrowded && hasAccepted && turnsToAccept++ < TURNS_TO_ACCEPT) return;
  turnsToAccept = 0;
  const startedAt = performance.now();
  const batch = arrived;
  arrived = [];
  arrivedUnits = 0;
  if (isCrowded) {
    measureTurn(startedAt);
    for (const waiting of batch) addTo(bySender, waiting);
    takeTurns(startedAt);
    return;
  }
  for (const [i, { act }] of batch.entries()) {
    act();
    if (i + 1 === batch.length || performance.now() - startedAt < TURN_MS) continue;
    for (const waiting of batch.slice(i + 1)) addTo(bySender, waiting);
    return;
  }
}

function takeTurns(startedAt: number): void {
  let units = 0;
  for (const [sender, queue] of bySender) {
    const first = queue.shift();
    bySender.delete(sender);
    // Behind all others: this loop comes to it again.
    if (queue.length > 0) bySender.set(sender, queue);
    if (!first) continue;
    units += first.units;
    actsInTurn++;
    first.act();
    if (units >= UNITS_PER_TURN || performance.now() - startedAt > TURN_MS) return;
  }
}

function addTo(queues: Map<string, Waiting[]>, waiting: Waiting): void {
  const sender = waiting.senderOf();
  const queue = queues.get(sender);
  if (queue) queue.push(waiting);
  else queues.set(sender, [waiting]);
}

/** The time from one turn with such work to the next, and the acts in it, while more of them wait. */
function measureTurn(now: number): void {
  if (bySender.size > 0) {
    turnMs += (now - lastTurnAt - turnMs) * WEIGHT_OF_NEWEST_TURN;
    actsPerTurn += (actsInTurn - actsPerTurn) * WEIGHT_OF_NEWEST_TURN;
  }
  actsInTurn = 0;
  lastTurnAt = now;
}

function expectedWaitMs(sender: string): number {
  const own = bySender.get(sender)?.length ?? 0;
  const senders = bySender.size + (own === 0 ? 1 : 0);
  return (((own + 1) * senders) / Math.max(1, actsPerTurn)) * turnMs;
}
