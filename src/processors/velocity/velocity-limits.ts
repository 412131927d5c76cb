import type { Config } from '../../config/config.ts';

/**
 * Limits per dimension and window, in distinct mailboxes (for `mailbox`: in spellings of one mailbox).
 *
 * The reasons for the defaults (`config/defaults.yaml`):
 *
 * | dimension | an hour | a day | chosen because |
 * |---|---|---|---|
 * | ip | 12 | 40 | a family or small office stays below half; 30 people at one stand stay below three times it |
 * | subnet | 12 | 80 | a /24 of an access network holds 250 households, few of which sign up in one hour |
 * | mailbox | 4 | 6 | a person tries a tag or two |
 * | domain | 10 | 40 | a company's people come one by one; together, from one place, they have 14 |
 * | device | 10 | 40 | one browser in one network is like one IP address |
 * | template | 12 | 40 | at big sites, people with the same name and different numbers meet by chance |
 *
 * A shorter window needs its own limit only when this limit is lower than that of a longer window.
 */
export type VelocityLimits = Config['scoring']['velocity'];
