import test from 'ava';
import { shareConfig } from '../../src/workers/share-config.ts';
import { defaultConfig } from '../helpers/default-config.ts';

test('workers share the connections that the file allows, and each has one at least', (t) => {
  const { server } = defaultConfig;
  t.is(
    shareConfig({ ...defaultConfig, server: { ...server, max_connections: 10_001 } }, 4).server
      .max_connections,
    2_501,
  );
  t.is(
    shareConfig({ ...defaultConfig, server: { ...server, max_connections: 2 } }, 4).server.max_connections,
    1,
  );
});

test('a share names the workers of the start, whatever the changed file says', (t) => {
  t.is(shareConfig({ ...defaultConfig, workers: 8 }, 2).workers, 2);
});
