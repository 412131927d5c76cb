import { type CounterDimension, type Observation, type ObservedCounts, WINDOWS_MS } from '../counters.ts';
import { type KeyNames, tagOfKey } from './key-names.ts';
import { OBSERVE, REFILL, TAKE_BACK } from './scripts.ts';
import type { SharedCall, SharedCalls } from './shared-calls.ts';

/** The observations of one attempt for one server, with their results. */
export interface SharedPart {
  /** The indexes of these observations in the attempt. */
  readonly places: readonly number[];
  readonly keys: readonly string[];
  readonly members: readonly string[];
  readonly call: SharedCall;
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
  readonly membersPerKey: number;
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
/** The result of the script for each key: four counts, and whether a member was added. */
const WORDS = 5;
/** The lifetime of a key after its last observation: the longest window. */
export const LONGEST_LIFETIME_MS = WINDOWS_MS.per_day;
/** The time shift of a pending member, as in memory. */
const PENDING_MS = 0.5;

export function createSharedWindows(options: SharedWindowsOptions): SharedWindows {
  const { calls, names, membersPerKey, isCluster, singleLifetimeMs } = options;

  function call(keys: readonly string[], members: readonly string[], kinds: string, at: Moment): SharedCall {
    return calls.run(OBSERVE, keys, [at, membersPerKey, singleLifetimeMs(), kinds, ...members]);
  }

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
      return placesByServer(keys, isCluster).map((places) => {
        const ownKeys = pick(keys, places);
        const ownMembers = pick(members, places);
        const kinds = pick(observations, places)
          .map(({ isProvisional }) => (isProvisional ? '1' : '0'))
          .join('');
        return { places, keys: ownKeys, members: ownMembers, call: call(ownKeys, ownMembers, kinds, at) };
      });
    },
    settle({ places, keys, members }, answer, { observations, isRefused }) {
      const [now = 0] = answer;
      const chosen = keys
        .map((_, i) => i)
        .filter((i) => {
          const isAdded = answer[(i + 1) * WORDS] === 1;
          return observations[places[i] ?? -1]?.isProvisional && isAdded === isRefused;
        });
      if (chosen.length === 0) return;
      const ownKeys = pick(keys, chosen);
      const ownMembers = pick(members, chosen);
      if (!isRefused) {
        call(ownKeys, ownMembers, '0'.repeat(chosen.length), now);
        return;
      }
      calls.run(
        TAKE_BACK,
        ownKeys,
        ownMembers.flatMap((member) => [now - PENDING_MS, member]),
      );
    },
    async refill(observations, at) {
      const { keys, members } = namesOf(observations);
      const parts = placesByServer(keys, isCluster).map((places) =>
        calls.run(REFILL, pick(keys, places), [at, membersPerKey, ...pick(members, places)]),
      );
      await Promise.all(parts.map(({ answer }) => answer));
    },
  };
}

/** Writes the counts of an answered part to the indexes of its observations. */
export function readCounts({ places }: SharedPart, answer: readonly number[], into: ObservedCounts[]): void {
  const [now = 0] = answer;
  places.forEach((place, i) => {
    const [per_minute = 1, per_10_minutes = 1, per_hour = 1, per_day = 1, added = 0] = answer.slice(
      1 + i * WORDS,
      1 + (i + 1) * WORDS,
    );
    const counts = { per_minute, per_10_minutes, per_hour, per_day };
    into[place] = added === 1 ? { ...counts, pendingAt: now - PENDING_MS } : counts;
  });
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
