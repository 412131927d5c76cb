import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { VERSION } from '../../../src/version.ts';
import { route } from '../../helpers/routes.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';
import { startDashboard } from '../dashboard-server.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const DAY = 86_400_000;

function rowsOf(body: string): readonly (readonly string[])[] {
  const [, rows = ''] =
    /<caption>Routes and their last 7 days<\/caption>.*?<tbody>(.*?)<\/tbody>/s.exec(body) ?? [];
  return [...rows.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, '').trim(),
    ),
  );
}

test('each route has its mode, its actions and what it did in seven days', async (t) => {
  const dashboard = await startDashboard(t, {
    clock: () => NOW,
    config: (config) => ({
      ...config,
      proxy: {
        ...{ listen: '127.0.0.1:0', upstream: 'http://127.0.0.1:9', public_url: null },
        ...{
          trusted_proxies: [],
          origins: [],
          client_ip_header: 'x-forwarded-for',
          tls: null,
          proxy_protocol: false,
        },
        forward_auth: null,
        ...{ timeouts: { connect: 1_000, response: 1_000 }, max_upstream_connections: 4, watch: true },
        routes: [
          route('/signup', { name: 'web', on_medium: 'forward' }),
          route('/join', { name: 'quiet', mode: 'monitor' }),
          route('/deep', { name: 'all', methods: null, on_low: 'verify', levels: { low: 80, medium: 50 } }),
        ],
      },
    }),
  });
  const operator = await dashboard.signIn('operator');
  for (const [name, action, mode, ago] of [
    ['web', 'forward', 'enforce', 0],
    ['web', 'forward', 'enforce', 6 * DAY],
    ['web', 'verify', 'enforce', 0],
    ['web', 'block', 'enforce', 0],
    ['web', 'block', 'enforce', 8 * DAY],
    ['quiet', 'block', 'monitor', 0],
  ] as const) {
    const processedAt = NOW - ago;
    await dashboard.records.decisions.record(
      decisionWith({
        ...{ requestId: createRequestId(processedAt), processedAt, door: 'gate', route: name },
        ...{ action, mode, degraded: action === 'verify' },
      }),
    );
  }
  await aggregateAll(dashboard.records);
  const { status, body } = await operator.get('/routes');
  t.is(status, 200);
  t.deepEqual(rowsOf(body), [
    [
      'web POST /signup',
      'enforce',
      'medium: let in high: refused',
      '4',
      '2 (50 %)',
      '1 (25 %)',
      '1 (25 %)',
      '0',
      '1 (25 %)',
    ],
    [
      'quiet POST /join',
      'monitor',
      'medium: verification high: refused',
      '1',
      '0',
      '0',
      '0',
      '1 (100 %)',
      '0',
    ],
    [
      'all POST /deep',
      'enforce',
      'low (from 80): verification medium (from 50): verification high: refused',
      ...['0', '0', '0', '0', '0', '0'],
    ],
  ]);
  t.true(body.includes('<caption>Data sets</caption>'));
  t.true(body.includes(VERSION));
  t.is((await operator.get('/decisions?route=web&within=week')).status, 200);
});

test('without a gate the page says how to add one, and members and support do not see it', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  t.true((await operator.get('/routes')).body.includes('No routes'));
  for (const role of ['member', 'support'] as const) {
    t.is((await (await dashboard.signIn(role)).get('/routes')).status, 404);
  }
});
