import test from 'ava';
import { isQuiet } from '../../src/exports/quiet-hours.ts';
import { alertTo, startAlertReceiver } from '../helpers/alert-receiver.ts';
import { until } from '../helpers/until.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';
import { prepareSqlite } from '../storage/prepare-storage.ts';
import { attack, NOW, start } from './running-alerts.ts';

const MINUTE = 60_000;

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

test('messages wait for the end of the quiet hours', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOW);
  const http = await startAlertReceiver(t);
  let now = NOW;
  await attack(records, 'crowd.example');
  start(
    t,
    records,
    [
      alertTo('quiet', 'slack', {
        url: `${http.url}/quiet`,
        quiet_hours: `${timeOf(NOW - 60 * MINUTE)}-${timeOf(NOW + 30 * MINUTE)}`,
      }),
      alertTo('loud', 'slack', { url: `${http.url}/loud` }),
    ],
    { clock: () => now },
  );
  await until(() => http.received.length === 1);
  t.is(http.received[0]?.path, '/loud');
  now = NOW + 31 * MINUTE;
  await until(() => http.received.length === 2);
  t.is(http.received[1]?.path, '/quiet');
});

test('a reload of the quiet hours also applies to messages that wait', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOW);
  const http = await startAlertReceiver(t);
  await attack(records, 'crowd.example');
  const quiet_hours = `${timeOf(NOW - 60 * MINUTE)}-${timeOf(NOW + 30 * MINUTE)}`;
  const receivers = [
    alertTo('team', 'slack', { url: `${http.url}/team`, quiet_hours }),
    alertTo('loud', 'slack', { url: `${http.url}/loud` }),
  ];
  start(t, records, receivers);
  await until(() => http.received.length === 1);
  t.is(http.received[0]?.path, '/loud');
  receivers[0] = alertTo('team', 'slack', { url: `${http.url}/team` });
  await until(() => http.received.length === 2);
});

test('a message that failed before the quiet hours is not tried again within them', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOW);
  const http = await startAlertReceiver(t);
  await attack(records, 'crowd.example');
  let now = NOW;
  const url = 'http://192.0.2.1/team';
  const receivers = [alertTo('team', 'slack', { url, private_networks: [] })];
  const { counted } = start(t, records, receivers, { clock: () => now });
  await until(() => counted('team', 'failed') === 1);
  const quiet_hours = `${timeOf(NOW + 10 * MINUTE)}-${timeOf(NOW + 20 * MINUTE)}`;
  receivers[0] = alertTo('team', 'slack', { url: `${http.url}/team`, quiet_hours });
  receivers.push(alertTo('loud', 'slack', { url: `${http.url}/loud` }));
  now = NOW + 15 * MINUTE;
  await until(() => http.received.length === 1);
  t.is(http.received[0]?.path, '/loud');
  now = NOW + 21 * MINUTE;
  await until(() => http.received.length === 2);
});

test('quiet hours may include midnight', (t) => {
  const at = (hour: number) => NOON - 12 * 60 * MINUTE + hour * 60 * MINUTE;
  t.true(isQuiet('22:00-07:00', at(23)));
  t.true(isQuiet('22:00-07:00', at(22)));
  t.true(isQuiet('22:00-07:00', at(6)));
  t.false(isQuiet('22:00-07:00', at(7)));
  t.false(isQuiet('22:00-07:00', at(12)));
  t.false(isQuiet(null, at(23)));
});
