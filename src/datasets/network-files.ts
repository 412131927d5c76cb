import type { IpAddress } from '../addresses/ip-address.ts';
import type { DatasetsConfig } from '../config/config.ts';
import type { DatasetInfo, IpSet, NetworkClass, NetworkFacts } from './datasets.ts';
import { NO_IPS } from './ip-ranges.ts';
import { type Mmdb, openMmdb } from './mmdb.ts';
import type { NetworkTable } from './network-table.ts';
import { classifyNetwork } from './networks/classify-network.ts';

type FilePaths = Pick<DatasetsConfig, 'asn_mmdb' | 'country_mmdb' | 'anonymous_ip_mmdb'>;

/** The user's own `.mmdb` files. They override built-in data for the addresses they contain. */
export interface NetworkFiles {
  /** Returns the built-in facts, overridden by the facts of the files. */
  refine(ip: IpAddress, facts: NetworkFacts): NetworkFacts;
  /** The content of the Anonymous IP file, as sets that are used together with the sets of the feeds. */
  readonly anonymous: Readonly<Record<'tor' | 'vpn' | 'datacenter' | 'proxy', IpSet>>;
  readonly info: readonly DatasetInfo[];
}

/** The names that publishers give their databases. They show when two files are swapped. */
const NAMES: Readonly<Record<keyof FilePaths, RegExp>> = {
  asn_mmdb: /asn|isp|connection/i,
  country_mmdb: /country|city|enterprise/i,
  anonymous_ip_mmdb: /anonymous/i,
};

/** The flags of MaxMind's Anonymous IP database. */
const FLAGS = {
  tor: ['is_tor_exit_node'],
  vpn: ['is_anonymous_vpn'],
  datacenter: ['is_hosting_provider'],
  proxy: ['is_public_proxy', 'is_residential_proxy'],
} as const;

/** The values of `connection_type` (MaxMind Connection Type, Enterprise). */
const CONNECTION_CLASSES: Readonly<Record<string, NetworkClass>> = {
  Cellular: 'mobile',
  'Cable/DSL': 'access',
  Dialup: 'access',
  Satellite: 'access',
  Corporate: 'business',
};

/**
 * Reads the files named in the configuration.
 * @throws {Error} that names the file and the remedy, when a file is missing, damaged or of another kind.
 */
export function openNetworkFiles(paths: FilePaths, table: NetworkTable): NetworkFiles {
  const asn = openFile(paths, 'asn_mmdb');
  const country = openFile(paths, 'country_mmdb');
  const anonymous = openFile(paths, 'anonymous_ip_mmdb');
  return {
    refine(ip, facts) {
      const system = asn ? systemOf(asn.find(ip).record, facts, table) : facts;
      const found = country && countryOf(country.find(ip).record);
      return found ? { ...system, country: found } : system;
    },
    anonymous: anonymous
      ? anonymousSets(anonymous)
      : { tor: NO_IPS, vpn: NO_IPS, datacenter: NO_IPS, proxy: NO_IPS },
    info: [
      infoOf('asn_mmdb', asn),
      infoOf('country_mmdb', country),
      infoOf('anonymous_ip_mmdb', anonymous),
    ].flat(),
  };
}

/** @throws {Error} like `openNetworkFiles`. */
export function checkNetworkFiles(paths: FilePaths): void {
  for (const name of Object.keys(NAMES) as (keyof FilePaths)[]) openFile(paths, name);
}

function openFile(paths: FilePaths, name: keyof FilePaths): Mmdb | null {
  const path = paths[name];
  if (path === null) return null;
  const file = openMmdb(path);
  const other = Object.entries(NAMES).find(([, names]) => names.test(file.databaseType))?.[0];
  if (other !== undefined && !NAMES[name].test(file.databaseType)) {
    throw new Error(
      `datasets.${name}: ${path} is a ${file.databaseType} database. It belongs under ${other}.`,
    );
  }
  return file;
}

function systemOf(record: unknown, facts: NetworkFacts, table: NetworkTable): NetworkFacts {
  if (!isRecord(record)) return facts;
  const asn = numberOf(record.autonomous_system_number) ?? facts.asn;
  const organisation =
    textOf(record.autonomous_system_organization) ??
    textOf(record.isp) ??
    (asn === facts.asn ? facts.organisation : null);
  return { ...facts, asn, organisation, networkClass: classOf(record, { asn, organisation }, facts, table) };
}

function classOf(
  record: Readonly<Record<string, unknown>>,
  { asn, organisation }: Pick<NetworkFacts, 'asn' | 'organisation'>,
  builtIn: NetworkFacts,
  table: NetworkTable,
): NetworkClass | null {
  const connection = CONNECTION_CLASSES[textOf(record.connection_type) ?? ''];
  if (connection) return connection;
  if (asn === builtIn.asn || asn === null) return builtIn.networkClass;
  return table.classOf(asn) ?? classifyNetwork(asn, organisation ?? '');
}

/**
 * Records of MaxMind are nested, and records of ip-location-db are flat. The registered country is used when the
 * country is missing.
 */
function countryOf(record: unknown): string | null {
  if (!isRecord(record)) return null;
  for (const place of [record.country, record.registered_country]) {
    const code = isRecord(place) ? textOf(place.iso_code) : null;
    if (code !== null) return code;
  }
  return textOf(record.country_code);
}

function anonymousSets(file: Mmdb): NetworkFiles['anonymous'] {
  // All four sets are asked for one address in succession, so its record is looked up only once.
  let lastIp: IpAddress | null = null;
  let lastRecord: unknown = null;
  const setOf = (flags: readonly string[]): IpSet => ({
    size: file.nodeCount,
    has(ip) {
      if (ip !== lastIp) {
        lastRecord = file.find(ip).record;
        lastIp = ip;
      }
      const record = lastRecord;
      return isRecord(record) && flags.some((flag) => record[flag] === true);
    },
  });
  return {
    tor: setOf(FLAGS.tor),
    vpn: setOf(FLAGS.vpn),
    datacenter: setOf(FLAGS.datacenter),
    proxy: setOf(FLAGS.proxy),
  };
}

function infoOf(name: keyof FilePaths, file: Mmdb | null): DatasetInfo[] {
  if (!file) return [];
  return [
    {
      name,
      source: `${file.databaseType}, ${file.path}`,
      licence: 'as its source says',
      date: file.builtAt.toISOString().slice(0, 10),
      entries: file.nodeCount,
      revision: file.revision,
      fetchedAt: null,
      failure: null,
      oldAfterMs: null,
    },
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
