import test from 'ava';
import type { Config } from '../../src/config/config.ts';
import { withinOpenFiles } from '../../src/gatekeeper/open-file-limit.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { proxyTo } from '../helpers/gated-app.ts';

function limited(config: Config, openFiles: number | null) {
  const lines: object[] = [];
  const levels: string[] = [];
  const log = (level: string) => (fields: object) => {
    lines.push(fields);
    levels.push(level);
  };
  const logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    isLevelEnabled: () => true,
    infoMembers: () => {},
  };
  return { config: withinOpenFiles(config, logger, openFiles), lines, levels };
}

const config = { ...defaultConfig, proxy: proxyTo(1, { max_upstream_connections: 5_000 }) };

test('with few open files, the limits of connections are lower, and the log says so', (t) => {
  const { config: bounded, lines, levels } = limited(config, 4_096);
  t.is(bounded.server.max_connections, 1_280);
  t.is(bounded.proxy?.max_upstream_connections, 1_280);
  t.deepEqual(lines, [{ open_files: 4_096, max_connections: 1_280, configured: 10_000 }]);
  t.deepEqual(levels, ['info']);
});

test('a lower limit of the configuration stays', (t) => {
  const low = { ...config, proxy: proxyTo(1, { max_upstream_connections: 8 }) };
  t.is(limited(low, 4_096).config.proxy?.max_upstream_connections, 8);
  t.is(limited({ ...config, proxy: null }, 4_096).config.proxy, null);
});

test('with enough open files, or on a system without that limit, nothing changes', (t) => {
  for (const openFiles of [30_256, 1_048_576, null]) {
    const { config: same, lines } = limited(config, openFiles);
    t.is(same, config);
    t.deepEqual(lines, []);
  }
});

test('a tiny limit leaves half of its files to connections, and the log warns', (t) => {
  for (const [openFiles, connections] of [
    [1, 1],
    [100, 16],
    [256, 42],
    [512, 85],
  ] as const) {
    const { config: bounded, lines, levels } = limited(config, openFiles);
    t.is(bounded.server.max_connections, connections);
    t.is(lines.length, 1);
    t.deepEqual(levels, ['warn']);
  }
});
