import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { Reader } from 'maxmind';
import type { IpAddress } from '../addresses/ip-address.ts';
import { revisionOf } from './manifest.ts';

/** A file in MaxMind's format (maxmind.github.io/MaxMind-DB). Other modules interpret its records. */
export interface Mmdb {
  readonly path: string;
  /** The name of the database in the file: `GeoLite2-ASN`. */
  readonly databaseType: string;
  readonly builtAt: Date;
  /** The number of nodes of its search tree. More networks need more nodes. */
  readonly nodeCount: number;
  /** The first 12 hex digits of the SHA-256 of the file. */
  readonly revision: string;
  /** The record of the address, and the length of the prefix to which it applies. Null when the file has no record. */
  find(ip: IpAddress): { readonly record: unknown; readonly prefixLength: number };
}

/**
 * Reads the complete file into memory.
 * @throws {Error} that names the file, when it is missing or has another format.
 */
export function openMmdb(path: string): Mmdb {
  const { reader, revision } = readDatabase(path);
  const { databaseType, buildEpoch, ipVersion, nodeCount } = reader.metadata;
  return {
    path,
    databaseType,
    builtAt: buildEpoch,
    nodeCount,
    revision,
    find({ family, text }) {
      if (family === 6 && ipVersion !== 6) return { record: null, prefixLength: 0 };
      const [record, prefixLength] = reader.getWithPrefixLength(text);
      return { record, prefixLength };
    },
  };
}

/** The limit of decoded records that are kept, by their position in the file. A real file has some thousands. */
const MAX_CACHED_RECORDS = 20_000;

function readDatabase(path: string): { reader: Reader<never>; revision: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new Error(`${path} cannot be read. Correct its path in the configuration, or remove it.`, {
      cause,
    });
  }
  try {
    const reader = new Reader<never>(bytes, { cache: new LRUCache({ max: MAX_CACHED_RECORDS }) });
    const { searchTreeSize, nodeCount, databaseType } = reader.metadata;
    if (!(nodeCount > 0) || typeof databaseType !== 'string' || searchTreeSize >= bytes.length) {
      throw new Error('its search tree is cut off');
    }
    // Records are decoded when they are needed. Reading a few addresses at the start finds a damaged file.
    for (const address of ['1.1.1.1', '8.8.8.8', '203.0.113.1']) reader.get(address);
    return { reader, revision: revisionOf(bytes) };
  } catch (cause) {
    const message = `${path} is not a whole MaxMind database (.mmdb). Fetch it again, or remove it from the configuration.`;
    throw new Error(message, { cause });
  }
}
