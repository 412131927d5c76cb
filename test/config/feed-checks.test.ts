import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import type { KnownNames } from '../../src/config/config-source.ts';
import type { FeedSource } from '../../src/config/feed-source.ts';
import { formatYaml } from '../../src/config/format-yaml.ts';
import { loadConfig } from '../../src/config/load.ts';
import { redactDocument } from '../../src/config/redact.ts';
import { knownNames as realNames } from './known-names.ts';

const source = (name: string, kind: FeedSource['kind'], urls: readonly string[]): FeedSource => ({
  ...{ name, kind, urls, format: 'lines', licence: 'CC0-1.0' },
  ...{ publisher: 'Example', renewed: 'daily', purpose: 'A test.' },
});

const knownNames: KnownNames = {
  ...realNames,
  feedSources: [
    source('tor-exits', 'tor', ['https://a.example/exits', 'https://b.example/exits', 'https://c.example/x']),
    source('vpn', 'vpn', ['https://a.example/vpn']),
    source('datacenter-ipv6', 'datacenter', ['https://a.example/hosting']),
  ],
};

const load = (text: string, names = knownNames) =>
  loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames: names, folder: '/srv' });

function issuesOf(feeds: string): readonly string[] {
  const error = refusal(() => load(`datasets:\n  feeds: ${feeds}\n`));
  return error.issues.map(
    ({ path, message, hint }) => `${path}: ${message}${hint === null ? '' : `; ${hint}`}`,
  );
}

function refusal(work: () => unknown): ConfigError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test("a name stands for the source of the catalogue, beside lists of one's own", (t) => {
  const { datasets } = load(
    'datasets:\n  feeds:\n    - tor-exits\n    - {name: my-list, kind: tor, url: "https://example.net/exits.txt"}\n',
  ).config;
  t.deepEqual(datasets.feeds, [
    {
      ...{ name: 'tor-exits', kind: 'tor', format: 'lines', licence: 'CC0-1.0' },
      ...{ url: 'https://a.example/exits', mirrors: ['https://b.example/exits', 'https://c.example/x'] },
    },
    {
      ...{ name: 'my-list', kind: 'tor', format: 'auto', licence: null },
      ...{ url: 'https://example.net/exits.txt', mirrors: [] },
    },
  ]);
});

for (const [feeds, refresh, intervalMs] of [
  ['[tor-exits]', null, 86_400_000],
  ['[vpn, {name: mine, kind: vpn, url: "https://example.net/"}]', null, 86_400_000],
  ['[{name: mine, kind: vpn, url: "https://example.net/"}]', null, null],
  ['[]', null, null],
  ['[tor-exits]', 'null', 86_400_000],
  ['[tor-exits]', 'off', null],
  ['[tor-exits]', '6h', 21_600_000],
] as const) {
  test(`feeds ${feeds} with refresh ${refresh ?? 'left out'} are fetched every ${intervalMs ?? 'never'} ms`, (t) => {
    const line = refresh === null ? '' : `  refresh: ${refresh}\n`;
    t.is(load(`datasets:\n${line}  feeds: ${feeds}\n`).config.datasets.refresh, intervalMs);
  });
}

test('the printed configuration keeps names, says how often feeds are fetched, and loads again', (t) => {
  const { config, document, secretPlaces } = load('datasets: {feeds: [tor-exits, vpn]}\n');
  const printed = formatYaml(redactDocument(document, secretPlaces));
  t.regex(printed, /refresh: 24h/);
  t.regex(printed, /- tor-exits/);
  t.notRegex(printed, /a\.example/);
  t.deepEqual(load(printed).config.datasets, config.datasets);
});

const LIST = 'sources are tor-exits, vpn, datacenter-ipv6';
const WRONG: readonly (readonly [feeds: string, ...issues: string[]])[] = [
  [
    '[tor-exit]',
    `datasets.feeds[0]: the catalogue has no source "tor-exit"; did you mean "tor-exits"? ${LIST}`,
  ],
  [
    '[Tor-Exits]',
    `datasets.feeds[0]: the catalogue has no source "Tor-Exits"; did you mean "tor-exits"? ${LIST}`,
  ],
  ['[tor]', `datasets.feeds[0]: the catalogue has no source "tor"; did you mean "tor-exits"? ${LIST}`],
  [
    '[datacenter]',
    `datasets.feeds[0]: the catalogue has no source "datacenter"; did you mean "datacenter-ipv6"? ${LIST}`,
  ],
  [
    '[proxies, vnp]',
    `datasets.feeds[0]: the catalogue has no source "proxies"; ${LIST}; your own list needs name, kind and url`,
    `datasets.feeds[1]: the catalogue has no source "vnp"; did you mean "vpn"? ${LIST}`,
  ],
  ['[vpn, vpn]', 'datasets.feeds[1]: the same name as [0]; every name must be unique'],
  [
    '[vpn, {name: VPN, kind: vpn, url: "https://example.net/"}]',
    'datasets.feeds[1].name: the same name as [0]; every name must be unique',
  ],
  [
    '["https://user:secret@example.net/list"]',
    'datasets.feeds[0]: expected the name of a source, not a URL; write your own list as {name: my-list, kind: tor, url: "https://…"}',
  ],
  ['tor-exits', 'datasets.feeds: expected a list, not text; write [tor-exits]'],
  [
    '[""]',
    'datasets.feeds[0]: expected the name of a source such as tor-exits, or a mapping with name, kind and url, not ""',
  ],
  [
    '[[vpn]]',
    'datasets.feeds[0]: expected the name of a source such as tor-exits, or a mapping with name, kind and url, not a list',
  ],
  [
    '[5, null]',
    'datasets.feeds[0]: expected the name of a source such as tor-exits, or a mapping with name, kind and url, not the number 5',
    'datasets.feeds[1]: expected the name of a source such as tor-exits, or a mapping with name, kind and url, not nothing',
  ],
];

for (const [feeds, ...issues] of WRONG) {
  test(`feeds ${feeds} are refused with a way on`, (t) => {
    t.deepEqual(issuesOf(feeds), issues);
  });
}

test('a name from the environment is read like one of the file', (t) => {
  const source = { file: null, knownNames, folder: '/srv', text: `datasets: {feeds: ["\${FEED}"]}\n` };
  t.is(
    loadConfig({ ...source, env: { FEED: 'vpn' } }).config.datasets.feeds[0]?.url,
    'https://a.example/vpn',
  );
});

test('every source of the real catalogue can be named, and they can all be named at once', (t) => {
  const names = realNames.feedSources.map(({ name }) => name);
  t.true(['tor-exits', 'vpn', 'disposable', 'datacenter', 'relay'].every((name) => names.includes(name)));
  const { feeds } = load(`datasets: {feeds: [${names.join(', ')}]}\n`, realNames).config.datasets;
  t.deepEqual(
    feeds.map(({ name }) => name),
    names,
  );
  t.true(
    feeds.every(({ url, mirrors }) => [url, ...mirrors].every((address) => address.startsWith('https:'))),
  );
});
