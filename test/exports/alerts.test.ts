import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { testAlerts } from '../../src/cli/test-alerts.ts';
import { describeAttackAlert, describeIncidentAlert } from '../../src/exports/alert-message.ts';
import type { Condition } from '../../src/storage/incidents/incident.ts';
import { alertTo, startAlertReceiver } from '../helpers/alert-receiver.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { until } from '../helpers/until.ts';
import { prepareSqlite } from '../storage/prepare-storage.ts';
import { attack, NOW, start } from './running-alerts.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MINUTE = 60_000;

test('each receiver gets one message with a link, from two processes and after a restart', async (t) => {
  const open = await prepareSqlite(t);
  const [one, other] = [await open(() => NOW), await open(() => NOW)];
  const http = await startAlertReceiver(t);
  const smtp = await openSmtpMailbox(t);
  const receivers = [
    alertTo('hook', 'webhook', { url: `${http.url}/hook`, secrets: [SECRET] }),
    ...(['slack', 'discord', 'teams'] as const).map((to) => alertTo(to, to, { url: `${http.url}/${to}` })),
    alertTo('mail', 'mail', { mail: 'ops@example.com' }),
  ];
  await attack(one, 'crowd.example');
  const running = [one, other].map((records) => start(t, records, receivers, { smtp: smtp.url }));
  await until(() => http.received.length === 4 && smtp.mails.length === 1);
  await Promise.all(running.map((alerts) => alerts.close()));
  const again = start(t, await open(() => NOW), receivers, { smtp: smtp.url });
  await attack(one, 'second.example');
  await until(() => http.received.length === 8 && smtp.mails.length === 2);
  await again.close();
  t.is(http.tries(), 8);
  const bodyOf = (path: string) => JSON.parse(http.received.find((one) => one.path === path)?.body ?? '{}');
  const hook = http.received.find(({ path }) => path === '/hook');
  const message = new Webhook(SECRET).verify(hook?.body ?? '', hook?.headers ?? {}) as {
    type: string;
    data: Record<string, unknown>;
  };
  t.is(message.type, 'attack.began');
  t.like(message.data, { kind: 'domain', key: 'crowd.example', attempts: 30, stopped: 30 });
  const link = 'https://gatekeeper.example/campaigns/one?by=domain&key=crowd.example';
  t.true(bodyOf('/slack').text.includes(link));
  t.deepEqual(bodyOf('/discord').allowed_mentions, { parse: [] });
  t.true(JSON.stringify(bodyOf('/teams')).includes(link));
  t.regex(smtp.mails[0]?.subject ?? '', /Attack on signups: the domain crowd\.example/);
});

test('an attack by a finding is named in words, as on the overview', (t) => {
  const event = {
    ...{
      id: 'a1',
      kind: 'finding' as const,
      key: 'tor_ip',
      name: null,
      attempts: 80,
      mailboxes: 80,
      stopped: 80,
    },
    ...{ beganAt: NOW - 30 * MINUTE, endedAt: NOW },
  } as const;
  t.is(describeAttackAlert(event, '').subject, 'Attack on signups: a Tor exit');
  t.is(
    describeAttackAlert({ ...event, key: 'of_another_version' }, '').subject,
    'Attack on signups: of_another_version',
  );
});

const INCIDENTS: readonly (readonly [
  Condition,
  type: string,
  subject: string,
  text: string,
  link: string,
])[] = [
  [
    {
      ...{ kind: 'refusals_jump', key: '' },
      facts: { part: 60, whole: 150, usual: 0.05, since: NOW - 30 * MINUTE },
    },
    'refusals.jumped',
    'Far more signups are refused than usual',
    'Refused: 60 of 150 signups (40 %) since',
    '/decisions?from=',
  ],
  [
    { kind: 'degraded_jump', key: '', facts: { part: 41, whole: 150, usual: 0.001, since: NOW } },
    'degraded.jumped',
    'Far more degraded decisions than usual',
    'Usual here: 0.1 %.',
    '/decisions?from=',
  ],
  [
    { kind: 'feeds_old', key: '', facts: { names: 'tor, domains' } },
    ...(['feeds.old', 'Feeds are old', 'these feeds fail: tor, domains.', '/routes#data-sets'] as const),
  ],
  [
    { kind: 'data_old', key: '', facts: { names: 'networks', days: 180 } },
    ...(['data.old', 'Built-in data is old', 'Older than 180 days: networks.', '/routes#data-sets'] as const),
  ],
  [
    { kind: 'unjudged_signups', key: 'POST /join/<@here>', facts: { count: 20 } },
    ...(['signups.unjudged', 'Signups are not judged', '20 requests to POST /join/here'] as const),
    '/overview#unjudged',
  ],
];

test('each incident is one message, to the receivers that want its kind', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOW);
  const http = await startAlertReceiver(t);
  await records.incidents.observe(
    NOW,
    INCIDENTS.map(([condition]) => condition),
  );
  const { counted } = start(t, records, [
    alertTo('hook', 'webhook', { url: `${http.url}/hook`, secrets: [SECRET] }),
    alertTo('chat', 'slack', { url: `${http.url}/chat`, about: ['data'] }),
    alertTo('attacks', 'slack', { url: `${http.url}/attacks`, about: ['attacks'] }),
  ]);
  await until(() => counted('hook', 'sent') === 5 && counted('chat', 'sent') === 2);
  // The next runs find nothing new.
  const again = start(t, records, [
    alertTo('hook', 'webhook', { url: `${http.url}/hook`, secrets: [SECRET] }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await again.close();
  t.is(http.tries(), 7);
  const messages = http.received
    .filter(({ path }) => path === '/hook')
    .map(({ body, headers }) => new Webhook(SECRET).verify(body, headers) as { type: string; data: object });
  for (const [{ facts }, type, subject] of INCIDENTS) {
    t.like(messages.find((message) => message.type === type)?.data, { ...facts, subject });
  }
  const texts = http.received.filter(({ path }) => path === '/chat').map(({ body }) => JSON.parse(body).text);
  t.is(texts.filter((text) => text.includes('https://gatekeeper.example/routes#data-sets')).length, 2);
});

for (const [condition, , subject, text, path] of INCIDENTS) {
  test(`the message about ${condition.kind} says what happened, how much, and where to look`, (t) => {
    const incident = { ...condition, id: 'one', beganAt: NOW, seenAt: NOW };
    const message = describeIncidentAlert(incident, 'https://gatekeeper.example');
    const [first, second = '', link] = message.text.split('\n');
    t.is(first, subject);
    t.true(second.includes(text), second);
    t.is(link, message.link);
    t.true(message.link.startsWith(`https://gatekeeper.example${path}`), message.link);
  });
}

test('a test message reaches every kind of receiver, and says which one it did not reach', async (t) => {
  const http = await startAlertReceiver(t);
  const smtp = await openSmtpMailbox(t);
  const alerts = [
    alertTo('hook', 'webhook', { url: `${http.url}/hook`, secrets: [SECRET] }),
    ...(['slack', 'discord', 'teams'] as const).map((to) => alertTo(to, to, { url: `${http.url}/${to}` })),
    alertTo('mail', 'mail', { mail: 'ops@example.com', quiet_hours: '00:00-23:59' }),
    alertTo('private', 'slack', { url: `${http.url}/private`, private_networks: [] }),
  ];
  const [out, errors]: string[][] = [[], []];
  const context = {
    config: { alerts, mail: { ...defaultConfig.mail, smtp: smtp.url }, dashboard: defaultConfig.dashboard },
    ...{ clock: () => NOW, write: (text: string) => void out?.push(text) },
    writeError: (text: string) => void errors?.push(text),
  };
  t.is(await testAlerts(null, context), 2);
  t.deepEqual(errors, ['private (slack): not sent, address_refused\n']);
  t.is(
    out?.join(''),
    'hook (webhook): sent\nslack (slack): sent\ndiscord (discord): sent\nteams (teams): sent\nmail (mail): sent\n',
  );
  const hook = http.received.find(({ path }) => path === '/hook');
  t.like(new Webhook(SECRET).verify(hook?.body ?? '', hook?.headers ?? {}), { type: 'test' });
  t.is(http.received.length, 4);
  t.is(smtp.mails[0]?.subject, 'Test message of Gatekeeper');
  t.is(await testAlerts('slack', context), 0);
  t.is(http.received.length, 5);
  t.is(await testAlerts('other', context), 1);
  t.regex(errors?.at(-1) ?? '', /The receiver other does not exist/);
  t.is(await testAlerts('other', { ...context, config: { ...context.config, alerts: [] } }), 1);
  t.regex(errors?.at(-1) ?? '', /^No receiver of alerts is configured/);
});

test('a message that fails is tried again with the same id, and a private address is refused unless it is named', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOW);
  const http = await startAlertReceiver(t, 2);
  let now = NOW;
  await attack(records, 'crowd.example');
  const { counted } = start(
    t,
    records,
    [
      alertTo('hook', 'webhook', { url: http.url, secrets: [SECRET] }),
      alertTo('private', 'slack', { url: `${http.url}/private`, private_networks: [] }),
    ],
    { clock: () => (now += 500) },
  );
  await until(() => counted('hook', 'sent') === 1);
  t.is(http.tries(), 3);
  t.is(counted('hook', 'failed'), 2);
  t.true(counted('private', 'failed') > 0);
  t.deepEqual(
    http.received.map(({ path }) => path),
    ['/'],
  );
});
