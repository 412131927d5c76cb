import type { Judge } from '../assessment/judge.ts';
import type { Config, PlanConfig } from '../config/config.ts';

/**
 * The settings that a reload of the configuration replaces. A request reads the object once, so it never mixes two
 * states.
 */
export interface ApiSettings {
  readonly judge: Judge;
  readonly plans: Readonly<Record<string, PlanConfig>>;
  /** `api.test_requests_per_minute`. */
  readonly testRequestsPerMinute: number;
  /** `privacy.store_plain`. */
  readonly storePlain: boolean;
}

export function apiSettings({ api, privacy }: Config, judge: Judge): ApiSettings {
  return {
    judge,
    plans: api.plans,
    testRequestsPerMinute: api.test_requests_per_minute,
    storePlain: privacy.store_plain,
  };
}
