import type { Config } from '../../config/config.ts';

/**
 * Limits per dimension and window, in distinct mailboxes (for `mailbox`: in spellings of one mailbox).
 *
 * Why the defaults (`config/defaults.yaml`) are what they are:
 *
 * | dimension | an hour | a day | chosen because |
 * |---|---|---|---|
 * | ip | 12 | 40 | a family or small office stays below half; 30 people at one stand stay below three times it |
 * | subnet | 12 | 80 | a /24 of an access network holds 250 households, few of which sign up in one hour |
 * | mailbox | 4 | 6 | a person tries a tag or two |
 * | domain | 10 | 40 | a company's people come one by one; together, from one place, they have 14 |
 * | device | 10 | 40 | one browser in one network: as an address |
 * | template | 12 | 40 | at big sites namesakes with a number of their own meet by chance |
 *
 * A shorter window needs a limit of its own only when that is lower than the limit of a longer one.
 */
export type VelocityLimits = Config['scoring']['velocity'];
