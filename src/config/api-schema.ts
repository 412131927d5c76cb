import { choice, integer, list, nullable, record, section, text, textOrPort } from './schema-types.ts';

const positive = { minimum: 1, maximum: 1_000_000_000 };

const plan = section('Limits of an account on this plan. A missing limit means no limit.', {
  requests_per_month: nullable(
    integer('Answered requests in a calendar month (UTC).', { ...positive, unit: 'requests' }),
    'no limit',
  ),
  requests_per_minute: nullable(
    integer('Requests in any minute.', { ...positive, unit: 'requests' }),
    'no limit',
  ),
});

/** The API, its keys and their plans. */
export const apiSchema = section('The API, its keys and their plans.', {
  listen: textOrPort(
    'Where the API listens. A port without a host listens on 127.0.0.1; port 0 chooses a free port.',
    'listen-address',
  ),
  keys: list(
    'API keys of this file. `gatekeeper keys create` makes further keys.',
    section(
      'One key with its own account.',
      {
        name: text('Name of the key in lists and logs.', 'name'),
        sha256: text('SHA-256 of the key. Do not put the key itself in this file.', 'sha256'),
        plan: text('Plan of the account: a name in `api.plans`.', 'name'),
        scope: nullable(
          choice('With `gate`, the key can also read and label decisions of the gate.', ['gate']),
          'only decisions of its own account',
        ),
      },
      ['name', 'sha256'],
    ),
    10_000,
  ),
  test_requests_per_minute: integer(
    'Requests in any minute with the test keys of one account. These requests count against no plan.',
    { ...positive, unit: 'requests' },
  ),
  plans: record(
    'Plans by name, merged over the built-in plans. An account whose plan is no longer here has the limits of `hobby`.',
    plan,
    'name',
  ),
});
