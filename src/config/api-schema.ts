import { integer, list, nullable, record, section, text, textOrPort } from './schema-types.ts';

const positive = { minimum: 1, maximum: 1_000_000_000 };

const plan = section('What an account on this plan may ask for. Nothing said means no limit.', {
  requests_per_month: nullable(
    integer('Answered requests in a calendar month (UTC).', { ...positive, unit: 'requests' }),
    'no limit',
  ),
  requests_per_minute: nullable(
    integer('Requests in any minute.', { ...positive, unit: 'requests' }),
    'no limit',
  ),
});

/** The API door, its keys and their plans. */
export const apiSchema = section('The API door.', {
  listen: textOrPort(
    'Where the API listens. A port alone is one of this machine alone; port 0 takes any free one.',
    'listen-address',
  ),
  keys: list(
    'API keys of this file. More are made with `gatekeeper keys create`.',
    section(
      'One key, an account of its own.',
      {
        name: text('How the key is shown in lists and logs.', 'name'),
        sha256: text('SHA-256 of the key; the key itself does not belong in a file.', 'sha256'),
        plan: text('The plan of its account, one of `api.plans`.', 'name'),
      },
      ['name', 'sha256'],
    ),
    10_000,
  ),
  test_requests_per_minute: integer(
    'Requests in any minute with the test keys of one account, which count against no plan.',
    { ...positive, unit: 'requests' },
  ),
  plans: record('Plans by name, laid over the built-in ones.', plan, 'name'),
});
