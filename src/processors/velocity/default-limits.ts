import type { Config } from '../../config/config.ts';

/** Limits per dimension and window, in distinct mailboxes (for `mailbox`: in spellings of one mailbox). */
export type VelocityLimits = Config['scoring']['velocity'];

/**
 * The limits that `config/defaults.yaml` names. A shorter window needs a limit of its own only when it is to be lower
 * than that of a longer one, so most are left out.
 *
 * | dimension | an hour | a day | chosen because |
 * |---|---|---|---|
 * | ip | 10 | 40 | a family or small office stays below half; an attack is seen with its tenth mailbox |
 * | subnet | 12 | 80 | a /24 of an access network holds 250 households, few of which sign up in one hour |
 * | mailbox | 4 | 6 | a person tries a tag or two |
 * | domain | 10 | 40 | a company's people come one by one; together, from one place, they have half as much again |
 * | device | 10 | 40 | one browser in one network: as an address |
 * | template | 12 | 40 | namesakes with a number of their own meet by chance at big sites |
 */
export const DEFAULT_VELOCITY_LIMITS: VelocityLimits = {
  ip: { per_hour: 10, per_day: 40 },
  subnet: { per_hour: 12, per_day: 80 },
  mailbox: { per_hour: 4, per_day: 6 },
  domain: { per_hour: 10, per_day: 40 },
  device: { per_hour: 10, per_day: 40 },
  template: { per_hour: 12, per_day: 40 },
};
