import { readFileSync } from 'node:fs';
import test from 'ava';
import { renderTable } from '../../../scripts/generate-tables/render-table.ts';
import { TABLES } from '../../../scripts/generate-tables/tables.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

for (const table of TABLES) {
  test(`${table.source} has no issues, and its module is the committed one`, (t) => {
    const { text, issues } = renderTable(table, read(`data/${table.source}`));
    t.deepEqual(issues, []);
    t.is(read(`src/${table.module}`), text, 'run: npm run tables');
  });
}

const BROKEN: readonly (readonly [source: string, edit: (yaml: string) => string, issue: RegExp])[] = [
  [
    'tables/networks.yaml',
    (yaml) => yaml.replace('[54113]', '[54113, 24940]'),
    /^data\/tables\/networks\.yaml:\d+: hosting\.\S+\[0\] repeats 24940, which is in hosting\.Fastly$/,
  ],
  [
    'tables/networks.yaml',
    (yaml) => yaml.replace('[54113]', '[AS54113]'),
    /:\d+: hosting\.Fastly\[0\] is not the number of an autonomous system: "AS54113"$/,
  ],
  [
    'tables/networks.yaml',
    (yaml) => `${yaml}\nhosters:\n  Example: [64500]\n`,
    /: hosters is unknown; known are hosting, /,
  ],
  ['tables/networks.yaml', (yaml) => yaml.replace('transit:', 'transits:'), /: the file has no transit$/],
  [
    'tables/networks.yaml',
    (yaml) => yaml.replace('Fastly: [54113]', 'Fastly: 54113'),
    /:\d+: hosting\.Fastly is not a list$/,
  ],
  [
    'tables/mailbox-providers.yaml',
    (yaml) => yaml.replace('gmail.com, googlemail.com', 'gmail.com, googlemail'),
    /: Gmail\.domains\[1\] is not a domain in lower case: "googlemail"$/,
  ],
  [
    'tables/mailbox-providers.yaml',
    (yaml) => yaml.replace("tag_separator: '+'", "tag_separator: '%'"),
    /: Gmail\.tag_separator is not \+ or -: "%"$/,
  ],
  [
    'tables/mailbox-providers.yaml',
    (yaml) => yaml.replace('  source:', '  sauce:'),
    /: Gmail\.sauce is unknown; known are source, /,
  ],
  [
    'tables/common-names.yaml',
    (yaml) => yaml.replace('aaron, abby', 'aaron, Jürgen'),
    /: given_names\[1\] is not a name of the letters a to z in lower case: "Jürgen"$/,
  ],
  [
    'tables/programs.yaml',
    (yaml) => yaml.replace('curl,', 'curl(,'),
    /: tools\.at_the_start\[0\] is not a name of letters/,
  ],
  [
    'tables/programs.yaml',
    (yaml) => yaml.replace('axios,', 'axios, curl,'),
    /repeats curl, which is in tools\.at_the_start$/,
  ],
  [
    'tables/reserved-domains.yaml',
    (yaml) => yaml.replace('invalid,', '.invalid,'),
    /\[2\] is not a domain in lower case: "\.invalid"$/,
  ],
  [
    'sources.yaml',
    (yaml) => yaml.replace('https://check.torproject.org', 'http://check.torproject.org'),
    /:\d+: tor-exits\.urls\[0\] is not an https URL: "http:/,
  ],
  [
    'sources.yaml',
    (yaml) => yaml.replace('kind: tor', 'kind: onion'),
    /: tor-exits\.kind is not one of disposable, tor, /,
  ],
  ['sources.yaml', (yaml) => yaml.replace('  licence: MIT\n', ''), /: vpn has no licence$/],
  [
    'sources.yaml',
    (yaml) => yaml.replace('datacenter:\n', 'Data Center:\n'),
    /: Data Center is not a name of the letters a to z/,
  ],
  [
    'sources.yaml',
    (yaml) => yaml.replace('@main/all/ipv6', '@main/all/ipv4'),
    /: datacenter-ipv6\.urls\[1\] repeats https:\S+, which is in datacenter\.urls$/,
  ],
  [
    'sources.yaml',
    (yaml) => yaml.replace(/urls:\n(?: {4}- https:\S+apple\S*\n| {4}- https:\S+icloud\S*\n)+/, 'urls: []\n'),
    /: relay\.urls has not 1 to 5 items$/,
  ],
  ['tables/reserved-domains.yaml', () => 'protocols: [local', /^data\/tables\/reserved-domains\.yaml:1: /],
];

for (const [source, edit, issue] of BROKEN) {
  test(`a mistake in ${source} is reported with its line: ${issue.source}`, (t) => {
    const table = TABLES.find((candidate) => candidate.source === source);
    if (!table) throw new Error(`no table ${source}`);
    const yaml = read(`data/${source}`);
    const edited = edit(yaml);
    t.not(edited, yaml);
    const { issues } = renderTable(table, edited);
    t.true(
      issues.some((text) => issue.test(text)),
      issues.join('\n'),
    );
  });
}
