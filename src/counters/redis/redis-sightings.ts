import type { SharedSightings } from '../counters.ts';
import type { KeyNames } from './key-names.ts';
import { FIND_SIGHTING, NOTE_SIGHTING } from './scripts.ts';
import type { SharedCalls } from './shared-calls.ts';

export interface RedisSightingsOptions {
  readonly calls: SharedCalls;
  readonly names: Pick<KeyNames, 'limitKey'>;
  /** A server that is nearly full may remove keys before their time. */
  readonly isNearlyFull: () => boolean;
  readonly clock: () => number;
}

export interface RedisSightings extends SharedSightings {
  /** The server has lost its data. */
  lost(): void;
}

/** Sightings as one key each. A sighting that the server did not keep makes all sightings before it incomplete. */
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
