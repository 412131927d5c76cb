import type { SharedSightings } from '../counters.ts';
import type { KeyNames } from './key-names.ts';
import { FIND_SIGHTING, NOTE_SIGHTING } from './scripts.ts';
import type { SharedCalls } from './shared-calls.ts';

export interface RedisSightingsOptions {
  readonly calls: SharedCalls;
  readonly names: Pick<KeyNames, 'limitKey'>;
  /** Whether the server is nearly full. Then it may remove keys too early. */
  readonly isNearlyFull: () => boolean;
  readonly clock: () => number;
}

export interface RedisSightings extends SharedSightings {
  /** Call this when the server has lost its data. */
  lost(): void;
}

/** Stores each sighting as one key. If the server does not store a sighting, all sightings before it count as incomplete. */
export function createRedisSightings(options: RedisSightingsOptions): RedisSightings {
  const { calls, names, isNearlyFull, clock } = options;
  let completeSince = clock();

  function startAnew(): void {
    completeSince = clock();
  }

  return {
    note(key, at, lifetimeMs) {
      calls.run(NOTE_SIGHTING, [names.limitKey('seen', key)], [at, lifetimeMs]).inTime.catch(startAnew);
    },
    async find(key) {
      const [at = null] = await calls.run(FIND_SIGHTING, [names.limitKey('seen', key)], []).inTime;
      return at;
    },
    completeSince() {
      if (isNearlyFull()) startAnew();
      return completeSince;
    },
    lost: startAnew,
  };
}
