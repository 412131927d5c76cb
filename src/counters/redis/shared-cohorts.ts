import { randomBytes } from 'node:crypto';
import type { CohortOptions, CohortSighting, CountedSignup } from '../cohorts/cohort.ts';
import type { Cohorts } from '../cohorts/cohorts.ts';
import { readCohortEntry, writeCohortEntry } from './cohort-entry.ts';
import type { RedisArgument } from './redis-connection.ts';
import type { SealedText } from './sealed-text.ts';

export interface SharedCohorts extends Cohorts {
  /** Sends the signups of this node and counts those of the others. Does not throw; the next call sends again. */
  exchange(): Promise<void>;
  close(): void;
}

export interface SharedCohortsOptions {
  readonly local: Cohorts;
  /** For the entries. */
  readonly sealed: SealedText;
  /** A command on the stream of all nodes. Commands are executed in the order of their calls. */
  readonly call: (command: string, ...args: readonly RedisArgument[]) => Promise<unknown>;
  /** 0: only when `exchange` is called. */
  readonly everyMs?: number;
}

interface Waiting {
  readonly counted: CountedSignup;
  readonly entry: string;
}

/** Its id, the name of its field, and the sealed signup. */
type StreamEntry = readonly [id: string, [field: string, text: string]];

const EVERY_MS = 1_000;
/** A node that sends more in a second leaves the rest out: its own counts have them. */
const MOST_WAITING = 2_000;
const MOST_RECEIVED = 4_000;
/** More than the longest window, for a node that was away for a moment. */
const KEPT = 4_096;
const LIFETIME_MS = 86_400_000;
const FIELD = 'e';
const NODE_BYTES = 6;

/**
 * Every node counts its own signups immediately, and once a second those of the others, from a bounded stream: a decision
 * never waits for it. A campaign that is spread over nodes is noticed at most some seconds later than on one node. While
 * the server is away, each node has its own signups alone.
 */
export function shareCohorts({
  local,
  sealed,
  call,
  everyMs = EVERY_MS,
}: SharedCohortsOptions): SharedCohorts {
  const node = randomBytes(NODE_BYTES).toString('base64url');
  let waiting: Waiting[] = [];
  /** Id of the last entry that was read; empty before the first exchange, which only asks for it. */
  let last = '';
  let isExchanging = false;

  function send(sighting: CohortSighting, now: number, options: CohortOptions, counted: CountedSignup): void {
    const isRepeated = counted.signup < 0 && counted.mailbox < 0;
    if (isRepeated || waiting.length >= MOST_WAITING) return;
    const entry = sealed.seal(writeCohortEntry({ node, sighting, at: now, settings: options }));
    waiting.push({ counted, entry });
  }

  async function exchange(): Promise<void> {
    if (isExchanging) return;
    isExchanging = true;
    const sent = waiting.map(({ entry }) => entry);
    try {
      const added = sent.map((entry) => call('xadd', 'MAXLEN', '~', KEPT, '*', FIELD, entry));
      if (sent.length > 0) added.push(call('pexpire', LIFETIME_MS));
      const [others] = await Promise.all([readOthers(), ...added]);
      waiting = waiting.slice(sent.length);
      for (const [id, [, text]] of others) {
        if (last !== '') receive(text);
        last = id;
      }
      // In an empty stream, every later entry is one of others.
      if (last === '') last = '0-0';
    } catch {
      // The server is away, which the windows report. At most MOST_WAITING entries wait for it.
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
    const entry = opened === null ? null : readCohortEntry(opened);
    if (entry && entry.node !== node) local.observe(entry.sighting, entry.at, entry.settings);
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
