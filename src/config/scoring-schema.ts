import { flag, integer, list, nullable, number, record, section, text } from './schema-types.ts';

const weight = { minimum: 0, maximum: 1_000 };
const score = { minimum: 0, maximum: 100, unit: 'points of trust' };
/**
 * Counts of mailboxes end here, so that a flood of one key stays cheap: to count a key takes 8 ns per member, and 65 µs at
 * this bound.
 */
export const MOST_COUNTED = 8_192;

const signups = { minimum: 1, maximum: 1_000_000, unit: 'distinct mailboxes' };

const limits = (what: string) =>
  section(`Limits ${what}.`, {
    per_minute: nullable(integer(`Limit in a minute, ${what}.`, signups), 'no limit'),
    per_10_minutes: nullable(integer(`Limit in ten minutes, ${what}.`, signups), 'no limit'),
    per_hour: nullable(integer(`Limit in an hour, ${what}.`, signups), 'no limit'),
    per_day: nullable(integer(`Limit in 24 hours, ${what}.`, signups), 'no limit'),
  });

/** The rules that turn findings into a score, and the time limit for finding them. */
export const scoringSchema = section('Rules that turn findings into a score.', {
  weights: section('Weight of each factor in the mean.', {
    email: number('Weight of the email factor.', weight),
    ip_address: number('Weight of the IP address factor.', weight),
    velocity: number('Weight of the velocity factor.', weight),
    user_agent: number('Weight of the user agent factor.', weight),
  }),
  levels: section(
    'Lowest score of each risk level, for factors and for the trust score. A lower score than medium is high risk.',
    {
      low: integer('Lowest score of low risk.', score),
      medium: integer('Lowest score of medium risk.', score),
    },
  ),
  caps: section('Limits of the trust score for factors at high risk and decisive findings.', {
    one_high_factor: integer('Highest score when one factor is at high risk.', score),
    two_high_factors: integer('Highest score when two factors are at high risk.', score),
    decisive: integer('Highest score when a finding is decisive.', score),
  }),
  decisive: list(
    'Codes of decisive findings. Each of them applies the cap `decisive`.',
    text('A code.', 'line'),
    100,
  ),
  points: record(
    'Points that a finding subtracts from its factor, by code. They override the built-in points.',
    number('Points.', { minimum: 0, maximum: 100, unit: 'points' }),
    'name',
  ),
  velocity: section(
    'Limits in distinct mailboxes. When a count reaches half of a limit, the reason is `elevated_velocity`.',
    {
      ip: limits('for one IP address or IPv6 /64'),
      subnet: limits('for one /24 or IPv6 /48'),
      mailbox: limits('for the spellings of one mailbox'),
      domain: limits('for one email domain, except common providers'),
      device: limits('for one device'),
      template: limits('for one pattern of local parts'),
      cohort: section(
        'Detection of surges: too many signups of one style, compared with the past of the site.',
        {
          signups: nullable(
            integer('Lowest number of signups that can be a surge.', {
              ...signups,
              minimum: 5,
              maximum: 1_000,
            }),
            'surges are not detected',
          ),
          times_usual: number('Lowest ratio of a surge to the usual number of signups.', {
            minimum: 1.5,
            maximum: 100,
          }),
        },
      ),
      verified: section(
        'Growth of limits: the limits of an IP address, a network and a domain grow with the number of verified mailboxes.',
        {
          step: nullable(
            integer('Number of verified mailboxes for which the configured limit is added once more.', {
              ...signups,
              maximum: 1_000,
            }),
            'limits do not grow',
          ),
          per_day: integer('Limit of verified mailboxes that count for one day.', {
            ...signups,
            maximum: 1_000,
          }),
          times_at_most: number('Largest limit, as a multiple of the configured limit.', {
            minimum: 1,
            maximum: 20,
          }),
        },
      ),
    },
  ),
  dns: section('DNS queries about the email domain.', {
    enabled: flag(
      'Whether Gatekeeper sends DNS queries about email domains. Zones in `scoring.dnsbl` are queried in any case.',
    ),
    timeout: text('Time for all DNS queries of one attempt.', 'timeout'),
    servers: list(
      'Resolvers. If the list is empty, Gatekeeper uses the resolvers of the system.',
      text('One resolver.', 'dns-server'),
      10,
    ),
  }),
  dnsbl: list('Zones of DNS block lists for IP addresses.', text('One zone.', 'zone'), 10),
  deadline: text(
    'Time for all factors of one attempt. Factors that take longer are not evaluated.',
    'timeout',
  ),
});
