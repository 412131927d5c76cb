import { randomBytes } from 'node:crypto';
import type { CohortOptions, CohortSighting, Cohorts, CountedSignup } from '../cohorts/cohort.ts';
import { type CohortEntry, readCohortEntries, writeCohortEntries } from './cohort-entry.ts';
import type { RedisArgument } from './redis-connection.ts';
import type { SealedText } from './sealed-text.ts';

export interface SharedCohorts extends Cohorts {
  /**
   * Sends the signups of this node and counts the signups of other nodes. Does not throw: after a failure, the next
   * call sends them again.
   */
  exchange(): Promise<void>;
  close(): void;
}

export interface SharedCohortsOptions {
  readonly local: Cohorts;
  /** Encrypts the entries. */
  readonly sealed: SealedText;
  /** A command on the stream of all nodes. Commands are executed in the order of their calls. */
  readonly call: (command: string, ...args: readonly RedisArgument[]) => Promise<unknown>;
  /** The interval of exchanges. 0: exchanges happen only when `exchange` is called. */
  readonly everyMs?: number;
}

interface Waiting {
  readonly counted: CountedSignup;
  readonly entry: CohortEntry;
}

/** An entry of the stream: its id, the node that sent it, and its encrypted signups. */
type StreamEntry = readonly [id: string, [node: string, text: string]];

const EVERY_MS = 1_000;
/**
 * The limit of waiting signups. A node with more signups in a second does not send the rest, but counts them itself.
 */
const MOST_WAITING = 2_000;
/** The number of signups in one entry of the stream. */
const IN_ENTRY = 16;
/** The limit of entries that one exchange reads. */
const MOST_RECEIVED = 1_000;
/**
 * The length of the stream: minutes for quiet nodes and some seconds for busy ones. It is enough for a node that was
 * away for a moment.
 */
const KEPT = 1_024;
const LIFETIME_MS = 86_400_000;
const NODE_BYTES = 6;

/**
 * Every node counts its own signups immediately. Once a second it also counts the signups of other nodes, from a
 * bounded stream. A decision never waits for the stream. A campaign that is spread over nodes is noticed at most some
 * seconds later than on one node. While the server is away, each node has its own signups alone.
 */
export function shareCohorts({
  local,
  sealed,
  call,
  everyMs = EVERY_MS,
}: SharedCohortsOptions): SharedCohorts {
  const node = randomBytes(NODE_BYTES).toString('base64url');
  let waiting: Waiting[] = [];
  /** The id of the last entry that was read. Empty before the first exchange, which only asks for this id. */
  let last = '';
  let isExchanging = false;

  function send(sighting: CohortSighting, now: number, options: CohortOptions, counted: CountedSignup): void {
    const isRepeated = counted.signup < 0 && counted.mailbox < 0;
    if (isRepeated || waiting.length >= MOST_WAITING) return;
    waiting.push({ counted, entry: { sighting, at: now, settings: options } });
  }

  async function exchange(): Promise<void> {
    if (isExchanging) return;
    isExchanging = true;
    const sent = waiting.length;
    try {
      const added: Promise<unknown>[] = [];
      for (let from = 0; from < sent; from += IN_ENTRY) {
        const entries = waiting.slice(from, from + IN_ENTRY).map(({ entry }) => entry);
        const text = sealed.seal(writeCohortEntries(entries));
        added.push(call('xadd', 'MAXLEN', '~', KEPT, '*', node, text));
      }
      if (sent > 0) added.push(call('pexpire', LIFETIME_MS));
      const [others] = await Promise.all([readOthers(), ...added]);
      waiting = waiting.slice(sent);
      for (const [id, [sender, text]] of others) {
        if (last !== '' && sender !== node) receive(text);
        last = id;
      }
      // If the stream is empty, every later entry comes from another node.
      if (last === '') last = '0-0';
    } catch {
      // The server is away; the windows report this. At most MOST_WAITING entries wait for the server.
    } finally {
      isExchanging = false;
    }
  }

  async function readOthers(): Promise<readonly StreamEntry[]> {
    const answer =
      last === ''
        ? call('xrevrange', '+', '-', 'COUNT', 1)
        : call('xrange', `(${last}`, '+', 'COUNT', MOST_RECEIVED);
    return (await answer) as readonly StreamEntry[];
  }

  function receive(text: string): void {
    const opened = sealed.open(text);
    if (opened === null) return;
    for (const { sighting, at, settings } of readCohortEntries(opened)) local.observe(sighting, at, settings);
  }

  const timer = everyMs > 0 ? setInterval(() => void exchange(), everyMs).unref() : null;

  return {
    observe(sighting, now, options) {
      const result = local.observe(sighting, now, options);
      send(sighting, now, options, result.counted);
      return result;
    },
    takeBack(scope, counted) {
      local.takeBack(scope, counted);
      if (isExchanging) return;
      const at = waiting.findLastIndex((one) => one.counted === counted);
      if (at !== -1) waiting.splice(at, 1);
    },
    exchange,
    close: () => clearInterval(timer ?? undefined),
  };
}
