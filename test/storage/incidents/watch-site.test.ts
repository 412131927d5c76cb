import test from 'ava';
import type { Condition } from '../../../src/storage/incidents/incident.ts';
import { findSiteConditions, type SiteState } from '../../../src/storage/incidents/site-conditions.ts';
import { watchSite } from '../../../src/storage/incidents/watch-site.ts';
import { until } from '../../helpers/until.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 22);
const builtIn = { name: 'networks', date: '2026-09-01', fetchedAt: null, oldAfterMs: null };
const feed = { name: 'tor', date: '', fetchedAt: NOW, oldAfterMs: 3 * DAY };
const form = { method: 'POST', path: '/join', count: 20, lastAt: NOW };
const healthy: SiteState = { datasets: [builtIn, feed], unjudgedSignups: [] };

test('a healthy site has no condition, nor have a test request and a sign-in form', (t) => {
  t.deepEqual(findSiteConditions(healthy, NOW), []);
  const requests = [
    { ...form, count: 19 },
    { ...form, path: '/login', count: 900 },
    { ...form, path: '/before', lastAt: NOW - 2 * DAY },
  ];
  t.deepEqual(findSiteConditions({ ...healthy, unjudgedSignups: requests }, NOW), []);
});

test('old feeds, old built-in data and unjudged signups are conditions', (t) => {
  const state = {
    datasets: [builtIn, { ...builtIn, date: '2026-01-01' }, feed, { ...feed, fetchedAt: NOW - 4 * DAY }],
    unjudgedSignups: [form],
  };
  t.deepEqual(findSiteConditions(state, NOW), [
    { kind: 'feeds_old', key: '', facts: { names: 'tor' } },
    { kind: 'data_old', key: '', facts: { names: 'networks', days: 180 } },
    { kind: 'unjudged_signups', key: 'POST /join', facts: { count: 20 } },
  ]);
});

test('a condition is stored once it has lasted a quarter of an hour without a break', async (t) => {
  const observed: (readonly Condition[])[] = [];
  let now = NOW;
  let state: SiteState = { ...healthy, unjudgedSignups: [form] };
  let looks = 0;
  const watch = watchSite({
    incidents: {
      async observe(_at, conditions) {
        looks += 1;
        observed.push(conditions);
        return [];
      },
    },
    state: () => state,
    clock: () => now,
    log: { error: (facts: object) => t.log(facts) },
    everyMs: 5,
  });
  t.teardown(() => watch.close());
  const look = async () => {
    const before = looks;
    // One look may be under way while the state changes.
    await until(() => looks >= before + 2);
  };
  await look();
  now += 14 * MINUTE;
  state = healthy;
  await look();
  state = { ...healthy, unjudgedSignups: [form] };
  await look();
  now += 14 * MINUTE;
  await look();
  t.deepEqual(observed.flat(), []);
  now += MINUTE;
  await look();
  t.like(observed.at(-1)?.[0], { kind: 'unjudged_signups', key: 'POST /join' });
});
