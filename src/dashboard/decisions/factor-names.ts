import type { CapName } from '../../assessment/policy.ts';
import type { Factor } from '../../assessment/reasons.ts';

export const FACTOR_NAMES: Readonly<Record<Factor, string>> = {
  email: 'Email',
  ip_address: 'Network',
  velocity: 'Velocity',
  user_agent: 'Device',
};

/** The reason why a cap applies, shown after "Capped at 69". */
export const CAP_REASONS: Readonly<Record<CapName, string>> = {
  one_high_factor: 'a factor is at high risk',
  two_high_factors: 'two factors or more are at high risk',
  decisive: 'a finding decides alone',
};
