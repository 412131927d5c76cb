import test from 'ava';
import { findUnsupported } from '../../src/config/unsupported.ts';
import { defaultConfig } from '../helpers/default-config.ts';

const workers = {
  ...defaultConfig,
  workers: 2,
  storage: { ...defaultConfig.storage, counters: 'redis://127.0.0.1:6379' },
};

test('workers need counters that they share', (t) => {
  t.deepEqual(findUnsupported(workers), []);
  const [found, ...others] = findUnsupported({ ...workers, storage: defaultConfig.storage });
  t.regex(found ?? '', /^workers: .*storage\.counters.*redis:/);
  t.deepEqual(others, []);
});

test('workers need a mail server where mails are sent', (t) => {
  const dashboard = { ...defaultConfig.dashboard, registration: 'open' as const };
  t.regex(findUnsupported({ ...workers, dashboard })[0] ?? '', /^workers: .*mail\.smtp/);
  const mail = { ...defaultConfig.mail, smtp: 'smtp://127.0.0.1:25' };
  t.deepEqual(findUnsupported({ ...workers, dashboard, mail }), []);
  t.deepEqual(findUnsupported({ ...workers, dashboard, workers: 1 }), []);
});
