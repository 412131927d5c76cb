import {
  type CounterDimension,
  type Observation,
  type ObservedCounts,
  WINDOWS_MS,
  type WindowCounts,
} from '../counters.ts';
import { createCallGroups, type GroupedCall } from './call-groups.ts';
import { type KeyNames, tagOfKey } from './key-names.ts';
import { COUNT_STEPS, OBSERVE, REFILL, TAKE_BACK } from './scripts.ts';
import type { SharedCalls } from './shared-calls.ts';

/** The observations of one attempt for one server, with their results. */
export interface SharedPart extends GroupedCall {
  /** The indexes of these observations in the attempt. */
  readonly places: readonly number[];
  readonly keys: readonly string[];
  readonly members: readonly string[];
}

/** The sliding windows on the server. */
export interface SharedWindows {
  observe(observations: readonly Observation[], at: Moment): readonly SharedPart[];
  /** Ends provisional observations of an answered part. No caller waits for it. */
  settle(part: SharedPart, answer: readonly number[], ended: Settled): void;
  /** Adds observations from stored decisions. */
  refill(observations: readonly Observation[], at: number): Promise<void>;
}

/** Milliseconds since the epoch, or empty for the server's clock. */
export type Moment = number | '';

interface Settled {
  readonly observations: readonly Observation[];
  readonly isRefused: boolean;
}

export interface SharedWindowsOptions {
  readonly calls: SharedCalls;
  readonly names: KeyNames;
  readonly membersPerKey: () => number;
  readonly isCluster: boolean;
  /** The lifetime of a key with one member, in milliseconds. */
  readonly singleLifetimeMs: () => number;
}

/**
 * The observation whose key selects the server for another observation. So an attempt needs at most four calls in a
 * cluster. Every attempt with the other observation also has this one.
 */
const TAGGED_BY: Readonly<Partial<Record<CounterDimension, CounterDimension>>> = {
  ip: 'subnet',
  site: 'subnet',
  device: 'subnet',
  colleagues: 'domain',
};
const SETTLED = '0';
const PROVISIONAL = '1';
/** The lifetime of a key after its last observation: the longest window. */
export const LONGEST_LIFETIME_MS = WINDOWS_MS.per_day;
/** The time shift of a pending member, as in memory. */
const PENDING_MS = 0.5;

export function createSharedWindows(options: SharedWindowsOptions): SharedWindows {
  const { calls, names, membersPerKey, isCluster, singleLifetimeMs } = options;
  const observing = createCallGroups({ calls, isCluster, sendAt: setImmediate });
  // Sent before the attempt is answered: its sender may ask another node immediately after that.
  const settling = createCallGroups({ calls, isCluster, sendAt: process.nextTick });
  const headOf = (at: Moment) => [at, membersPerKey(), singleLifetimeMs()];

  function namesOf(observations: readonly Observation[]) {
    return {
      keys: observations.map(({ dimension, key }) =>
        names.windowKey(dimension, key, tagSourceOf(dimension, key, observations)),
      ),
      members: observations.map(({ member }) => names.member(member)),
    };
  }

  return {
    observe(observations, at) {
      const { keys, members } = namesOf(observations);
      const head = headOf(at);
      return placesByServer(keys, isCluster).map((places) => {
        const part = { places, keys: pick(keys, places), members: pick(members, places) };
        const text = part.members
          .map((member, i) => (observations[places[i] ?? -1]?.isProvisional ? PROVISIONAL : SETTLED) + member)
          .join('');
        return { ...part, ...observing.add({ script: OBSERVE, head, keys: part.keys, text }) };
      });
    },
    settle({ places, keys, members, firstKey }, answer, { observations, isRefused }) {
      const [now = 0] = answer;
      const chosen = keys
        .map((_, i) => i)
        .filter((i) => {
          const isAdded = hasAdded(answer[1 + firstKey + i]);
          return observations[places[i] ?? -1]?.isProvisional && isAdded === isRefused;
        });
      if (chosen.length === 0) return;
      const ownKeys = pick(keys, chosen);
      const ownMembers = pick(members, chosen);
      settling.add(
        isRefused
          ? { script: TAKE_BACK, head: [now - PENDING_MS], keys: ownKeys, text: ownMembers.join('') }
          : {
              script: OBSERVE,
              head: headOf(now),
              keys: ownKeys,
              text: ownMembers.map((member) => SETTLED + member).join(''),
            },
      );
    },
    async refill(observations, at) {
      const { keys, members } = namesOf(observations);
      const parts = placesByServer(keys, isCluster).map((places) =>
        calls.run(REFILL, pick(keys, places), [at, membersPerKey(), ...pick(members, places)]),
      );
      await Promise.all(parts.map(({ answer }) => answer));
    },
  };
}

/** Writes the counts of an answered part to the indexes of its observations. */
export function readCounts(
  { places, firstKey }: SharedPart,
  answer: readonly number[],
  into: ObservedCounts[],
): void {
  const [now = 0] = answer;
  places.forEach((place, i) => {
    const word = answer[1 + firstKey + i];
    const counts = countsIn(word ?? 0);
    into[place] = hasAdded(word) ? { ...counts, pendingAt: now - PENDING_MS } : counts;
  });
}

/** Reads the number that the script returned for a key. Its lowest bit says whether it added a member. */
function countsIn(word: number): WindowCounts {
  const minute = Math.floor(word / 2);
  const ten = Math.floor(minute / COUNT_STEPS);
  const hour = Math.floor(ten / COUNT_STEPS);
  return {
    per_minute: 1 + (minute % COUNT_STEPS),
    per_10_minutes: 1 + (ten % COUNT_STEPS),
    per_hour: 1 + (hour % COUNT_STEPS),
    per_day: 1 + Math.floor(hour / COUNT_STEPS),
  };
}

function hasAdded(word = 0): boolean {
  return word % 2 === 1;
}

function tagSourceOf(dimension: CounterDimension, key: string, observations: readonly Observation[]): string {
  const by = TAGGED_BY[dimension];
  return (by && observations.find((other) => other.dimension === by)?.key) ?? key;
}

/** A single server needs one call. A cluster needs one call for each tag. */
function placesByServer(keys: readonly string[], isCluster: boolean): readonly (readonly number[])[] {
  if (keys.length === 0) return [];
  if (!isCluster) return [keys.map((_, i) => i)];
  const byTag = new Map<string, number[]>();
  keys.forEach((key, i) => {
    const tag = tagOfKey(key);
    const places = byTag.get(tag);
    if (places) places.push(i);
    else byTag.set(tag, [i]);
  });
  return [...byTag.values()];
}

function pick<T>(items: readonly T[], places: readonly number[]): readonly T[] {
  if (places.length === items.length) return items;
  return places.flatMap((place) => items.slice(place, place + 1));
}
