import { flag, integer, list, nullable, number, record, section, text } from './schema-types.ts';

const weight = { minimum: 0, maximum: 1_000 };
const score = { minimum: 0, maximum: 100, unit: 'points of trust' };
const signups = { minimum: 1, maximum: 1_000_000, unit: 'distinct mailboxes' };

const limits = (what: string) =>
  section(`Limits ${what}.`, {
    per_minute: nullable(integer(`In a minute, ${what}.`, signups), 'no limit'),
    per_10_minutes: nullable(integer(`In ten minutes, ${what}.`, signups), 'no limit'),
    per_hour: nullable(integer(`In an hour, ${what}.`, signups), 'no limit'),
    per_day: nullable(integer(`In 24 hours, ${what}.`, signups), 'no limit'),
  });

/** How findings become a score, and how long the search for them may take. */
export const scoringSchema = section('How findings become a score.', {
  weights: section('How much each factor counts in the mean.', {
    email: number('Of the email factor.', weight),
    ip_address: number('Of the address factor.', weight),
    velocity: number('Of the velocity factor.', weight),
    user_agent: number('Of the user agent factor.', weight),
  }),
  levels: section('The lowest score of each risk level, for factors and the whole. Below medium is high.', {
    low: integer('From here on risk is low.', score),
    medium: integer('From here on risk is medium.', score),
  }),
  caps: section('Scores that cannot be exceeded when something is badly wrong.', {
    one_high_factor: integer('When one factor is at high risk.', score),
    two_high_factors: integer('When two factors are at high risk.', score),
    decisive: integer('When a finding is decisive.', score),
  }),
  decisive: list(
    'Codes of findings that hold the score under the cap `decisive`.',
    text('A code.', 'line'),
    100,
  ),
  points: record(
    "Points that findings take off their factor, by code, in place of the catalogue's.",
    number('Points.', { minimum: 0, maximum: 100, unit: 'points' }),
    'name',
  ),
  velocity: section('Limits in distinct mailboxes; from half of one on: `elevated_velocity`.', {
    ip: limits('of one address or IPv6 /64'),
    subnet: limits('of one /24 or IPv6 /48'),
    mailbox: limits('of the spellings of one mailbox'),
    domain: limits('of one email domain that is no common provider'),
    device: limits('of one device'),
    template: limits('of one pattern of local parts'),
  }),
  dns: section('What the email domain says of itself.', {
    enabled: flag('Whether DNS is asked at all.'),
    timeout: text('For all questions of one attempt.', 'duration'),
    servers: list("Resolvers. Empty: the system's.", text('One resolver.', 'dns-server'), 10),
  }),
  dnsbl: list('Zones of DNS block lists to ask about addresses.', text('One zone.', 'zone'), 10),
  deadline: text('After this, factors that are still being examined are not evaluated.', 'duration'),
});
