import { choice, list, nullable, section, text } from './schema-types.ts';

export const logSchema = section('Log on standard output.', {
  level: choice('Lowest level that is written.', ['debug', 'info', 'warn', 'error', 'silent']),
  format: choice('json for machines, pretty for people. auto is pretty on a terminal, else json.', [
    'auto',
    'json',
    'pretty',
  ]),
  decisions: section(
    'The decision log: one JSON object on one line for each decision, for programs that collect logs.',
    {
      to: nullable(
        text('`stdout`, or a file. SIGHUP opens the file again, as log rotation needs.', 'log-target'),
        'no decision log',
      ),
    },
  ),
});

export const exportsSchema = list(
  'Webhooks that receive every decision at least once, signed as Standard Webhooks.',
  section(
    'One receiver.',
    {
      name: text(
        'Name of the export in metrics and in the storage, which remembers by it what was delivered.',
        'name',
      ),
      url: text('URL of the receiver.', 'web-url', { secret: 'password' }),
      secrets: list(
        'Secrets of the signatures, 1 to 5. Every secret signs, so you can rotate them.',
        text('`whsec_` and 24 to 64 random bytes in base64.', 'webhook-secret', { secret: 'whole' }),
        5,
      ),
      private_networks: list(
        'Private, loopback and link-local networks in which the receiver may be. Without them, only public addresses are allowed.',
        text('One address or network.', 'cidr'),
        100,
      ),
    },
    ['name', 'url', 'secrets'],
  ),
  10,
);
