import { choice, list, nullable, section, text } from './schema-types.ts';

export const logSchema = section('Log on standard output.', {
  level: choice('Lowest level that is written.', ['debug', 'info', 'warn', 'error', 'silent']),
  format: choice(
    'json for machines, pretty for people. With auto, the format is pretty on a terminal, and json elsewhere.',
    ['auto', 'json', 'pretty'],
  ),
  decisions: section(
    'The decision log: one JSON object on one line for each decision, for programs that collect logs.',
    {
      to: nullable(
        text('`stdout`, or a file. SIGHUP opens the file again, which log rotation needs.', 'log-target'),
        'no decision log',
      ),
    },
  ),
});

const webhookSecret = text('`whsec_` and 24 to 64 random bytes in base64.', 'webhook-secret', {
  secret: 'whole',
});

const privateNetworks = list(
  'Private, loopback and link-local networks that the receiver may be in. Without them, only public addresses are allowed.',
  text('One address or network.', 'cidr'),
  100,
);

export const exportsSchema = list(
  'Webhooks that receive every decision at least once. Each message has a signature of Standard Webhooks.',
  section(
    'One receiver.',
    {
      name: text(
        'Name of the export in metrics. The storage also uses it to remember the delivered decisions.',
        'name',
      ),
      url: text('URL of the receiver.', 'web-url', { secret: 'password' }),
      secrets: list(
        'Secrets of the signatures, 1 to 5. Every secret signs, so you can rotate them.',
        webhookSecret,
        5,
      ),
      private_networks: privateNetworks,
    },
    ['name', 'url', 'secrets'],
  ),
  10,
);

export const alertsSchema = list(
  'Receivers of one message for each attack on signups, and for each change of the site that needs attention.',
  section(
    'One receiver.',
    {
      name: text('Name of the receiver. The storage also uses it to remember the sent messages.', 'name'),
      to: choice('The kind of the receiver: a webhook signed as Standard Webhooks, a chat, or a mailbox.', [
        'webhook',
        'slack',
        'discord',
        'teams',
        'mail',
      ]),
      url: nullable(text('URL of the receiver.', 'web-url', { secret: 'whole' }), 'a mailbox'),
      secrets: list('Secrets of the signatures of a webhook.', webhookSecret, 5),
      mail: nullable(text('Mailbox of the receiver; needs `mail.smtp`.', 'line'), 'no mailbox'),
      about: list(
        'Subjects of the messages: `attacks`, a sudden rise of refusals (`refusals`) or of degraded decisions (`degraded`), old feeds or old built-in data (`data`), and signups that no route judges (`unjudged`).',
        choice('One subject.', ['attacks', 'refusals', 'degraded', 'data', 'unjudged']),
        5,
      ),
      quiet_hours: nullable(
        text('Hours in UTC in which messages are held back, such as `22:00-07:00`.', 'line'),
        'messages are sent at any time',
      ),
      private_networks: privateNetworks,
    },
    ['name', 'to'],
  ),
  10,
);
