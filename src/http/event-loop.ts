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
}

/**
 * The number of acts of `runInTurn` in one turn of the event loop. A judged signup takes a quarter of a millisecond, and
 * everything else waits for the end of the turn.
 */
const ACTS_PER_TURN = 32;
/** Turns without such an act while clients connect: the system hands over one new connection in each turn. */
const TURNS_TO_ACCEPT = 8;
const WEIGHT_OF_NEWEST_TURN = 0.2;

let arrived: Waiting[] = [];
/** Those that found no place in their turn. The sender whose turn is next comes first. */
const bySender = new Map<string, Waiting[]>();
let hasAccepted = false;
let turnsToAccept = 0;
let lastTurnAt = 0;
let turnMs = 0;

/**
 * Like `runInTickBatch`, for the start of long work: only so many in one turn of the event loop, so that connections are
 * accepted and other requests are served in between. When more wait, senders take turns: a flood from one address delays
 * others by milliseconds.
 * @param act It must not throw.
 * @param senderOf Names the sender; called only when others wait.
 */
export function runInTurn(act: () => void, senderOf: () => string): void {
  arrived.push({ act, senderOf });
  schedule();
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
  for (const { act } of takeTurn()) act();
  hasAccepted = false;
  if (bySender.size > 0 || arrived.length > 0) schedule();
}

function takeTurn(): readonly Waiting[] {
  if (bySender.size === 0 && arrived.length <= ACTS_PER_TURN) {
    const all = arrived;
    arrived = [];
    return all;
  }
  if (hasAccepted && turnsToAccept++ < TURNS_TO_ACCEPT) return [];
  turnsToAccept = 0;
  measureTurn();
  for (const waiting of arrived) addTo(bySender, waiting);
  arrived = [];
  const taken: Waiting[] = [];
  for (const [sender, queue] of bySender) {
    const first = queue.shift();
    if (first) taken.push(first);
    bySender.delete(sender);
    // Behind all others: this loop comes to it again.
    if (queue.length > 0) bySender.set(sender, queue);
    if (taken.length === ACTS_PER_TURN) break;
  }
  return taken;
}

function addTo(queues: Map<string, Waiting[]>, waiting: Waiting): void {
  const sender = waiting.senderOf();
  const queue = queues.get(sender);
  if (queue) queue.push(waiting);
  else queues.set(sender, [waiting]);
}

/** The time from one turn with such acts to the next, while more of them wait. */
function measureTurn(): void {
  const now = performance.now();
  if (bySender.size > 0) turnMs += (now - lastTurnAt - turnMs) * WEIGHT_OF_NEWEST_TURN;
  lastTurnAt = now;
}

function expectedWaitMs(sender: string): number {
  const own = bySender.get(sender)?.length ?? 0;
  const senders = bySender.size + (own === 0 ? 1 : 0);
  return (((own + 1) * senders) / ACTS_PER_TURN) * turnMs;
}
