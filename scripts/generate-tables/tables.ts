import { feedSources } from './feed-sources.ts';
import {
  asNumbers,
  DOMAIN,
  domains,
  domainsAndSuffixes,
  networkPrefixes,
  TRUE_OR_FALSE,
  textLike,
  textsLike,
} from './item-rules.ts';
import type { TableReader } from './table-reader.ts';
import { list, literal } from './write-literal.ts';

/** One file of `data`, and the module that is made of it. */
export interface Table {
  /** Its path below `data`. */
  readonly source: string;
  readonly module: string;
  /** The module's text below its first line. Wrong parts are reported to the reader. */
  render(reader: TableReader): string;
}

const NETWORK_USES = ['hosting', 'vpn', 'relay', 'mobile', 'access', 'education', 'business', 'transit'];
/** Beside the uses, since these networks have one too. */
const SHARED = 'shared';

export const TABLES: readonly Table[] = [
  {
    source: 'tables/networks.yaml',
    module: 'datasets/networks/known-networks.generated.ts',
    render: networks,
  },
  {
    source: 'tables/relay-ranges.yaml',
    module: 'datasets/networks/relay-ranges.generated.ts',
    render: relayRanges,
  },
  {
    source: 'tables/mailbox-providers.yaml',
    module: 'assessment/mailbox-providers.generated.ts',
    render: providers,
  },
  { source: 'tables/common-names.yaml', module: 'assessment/common-names.generated.ts', render: commonNames },
  { source: 'tables/programs.yaml', module: 'processors/device/programs.generated.ts', render: programs },
  {
    source: 'tables/reserved-domains.yaml',
    module: 'processors/email/reserved-domains.generated.ts',
    render: reservedDomains,
  },
  {
    source: 'tables/great-providers.yaml',
    module: 'processors/email/great-providers.generated.ts',
    render: greatProviders,
  },
  { source: 'sources.yaml', module: 'datasets/feed-sources.generated.ts', render: feedSources },
];

function networks(reader: TableReader): string {
  const rule = asNumbers();
  const sections = reader.keys([], [...NETWORK_USES, SHARED]);
  const sharedRule = asNumbers();
  const shared = sections.includes(SHARED)
    ? reader.keys([SHARED]).flatMap((owner) => reader.items([SHARED, owner], sharedRule))
    : [];
  const uses = NETWORK_USES.filter((use) => sections.includes(use)).map((use) => {
    const asns = reader.keys([use]).flatMap((owner) => reader.items([use, owner], rule));
    return `  ${use}: ${list(asns, '  ')},`;
  });
  const use = NETWORK_USES.map((name) => `'${name}'`).join(' | ');
  return [
    `export const KNOWN_NETWORK_NUMBERS: Readonly<Record<`,
    `  ${use},`,
    '  readonly number[]',
    '>> = {',
    ...uses,
    '};',
    '',
    `export const SHARED_NETWORK_NUMBERS: readonly number[] = ${list(shared, '')};`,
    '',
  ].join('\n');
}

function relayRanges(reader: TableReader): string {
  const rule = networkPrefixes();
  const ranges = reader.keys([]).flatMap((service) => reader.items([service], rule));
  return `export const RELAY_RANGES: readonly string[] = ${list(ranges, '')};\n`;
}

const PROVIDER_KEYS = ['source', 'folds_into', 'ignored', 'tag_separator', 'takes_subdomains', 'domains'];

function providers(reader: TableReader): string {
  const rule = domains();
  const rows = reader.keys([]).map((name) => {
    for (const key of reader.keys([name])) {
      if (!PROVIDER_KEYS.includes(key)) {
        reader.report([name, key], `is unknown; known are ${PROVIDER_KEYS.join(', ')}`);
      }
    }
    if (reader.optional([name, 'source'], textLike(/\S/, 'a text')) === null) {
      reader.report([name], 'has no source: where does the provider document its rule?');
    }
    const separator = reader.optional([name, 'tag_separator'], textLike(/^[+-]$/, '+ or -'));
    if (separator === null) reader.report([name], 'has no tag_separator');
    const provider = {
      foldsInto: reader.optional([name, 'folds_into'], DOMAIN),
      ignored: reader.optional([name, 'ignored'], textLike(/^[._-]+$/, 'some of the characters . _ -')),
      tagSeparator: separator,
      takesSubdomains: reader.optional([name, 'takes_subdomains'], TRUE_OR_FALSE) ?? false,
    };
    const fields = Object.entries(provider).map(([key, value]) => `    ${key}: ${literal(value)},`);
    const names = list(reader.items([name, 'domains'], rule), '    ');
    return ['  {', ...fields, `    domains: ${names},`, '  },'].join('\n');
  });
  return ['export const MAILBOX_PROVIDER_RULES = [', ...rows, '] as const;', ''].join('\n');
}

function commonNames(reader: TableReader): string {
  const names = reader.keys([], ['given_names', 'surnames']).flatMap((kind) =>
    // The same word may be both: Jackson.
    reader.items([kind], textsLike(/^[a-z]+$/, 'a name of the letters a to z in lower case')),
  );
  return `export const COMMON_NAMES: ReadonlySet<string> = new Set(${list([...new Set(names)], '')});\n`;
}

const PROGRAM_NAME = /^[\w.:-][\w.: -]*\*?$/;

function programs(reader: TableReader): string {
  reader.keys([], ['headless', 'tools', 'small_browsers', 'standard_browsers']);
  reader.keys(['tools'], ['at_the_start', 'anywhere', 'before_a_slash']);
  const rule = textsLike(
    PROGRAM_NAME,
    'a name of letters, digits, spaces and . : _ -, with a * at the end at most',
  );
  const constants = [
    ['HEADLESS', reader.items(['headless'], rule)],
    ['TOOLS_AT_THE_START', reader.items(['tools', 'at_the_start'], rule)],
    ['TOOLS_ANYWHERE', reader.items(['tools', 'anywhere'], rule)],
    ['TOOLS_BEFORE_A_SLASH', reader.items(['tools', 'before_a_slash'], rule)],
    ['SMALL_BROWSERS', reader.items(['small_browsers'], rule)],
    ['STANDARD_BROWSERS', reader.items(['standard_browsers'], textsLike(/^[\w ]+$/, 'a name'))],
  ] as const;
  return constants
    .map(([name, names]) => `export const ${name}: readonly string[] = ${list(names, '')};\n`)
    .join('\n');
}

function reservedDomains(reader: TableReader): string {
  const rule = domainsAndSuffixes();
  const names = reader.keys([]).flatMap((source) => reader.items([source], rule));
  return `export const RESERVED_DOMAINS: ReadonlySet<string> = new Set(${list(names, '')});\n`;
}

function greatProviders(reader: TableReader): string {
  const groups = reader.keys([], ['names_of_one_company', 'common_names']);
  const rows = groups.flatMap((group) =>
    reader.keys([group]).map((name) => {
      const rule = textsLike(/^[a-z]{2,}(\.[a-z]{2,})?$/, 'a suffix such as com or co.uk');
      const suffixes = list(reader.items([group, name], rule), '    ');
      const isOneCompany = group === 'names_of_one_company';
      return `  { name: ${literal(name)}, isOneCompany: ${isOneCompany}, suffixes: ${suffixes} },`;
    }),
  );
  const type =
    '{\n  readonly name: string;\n  readonly isOneCompany: boolean;\n  readonly suffixes: readonly string[];\n}';
  return [`export const GREAT_PROVIDERS: readonly ${type}[] = [`, ...rows, '];', ''].join('\n');
}
