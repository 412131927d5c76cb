import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cannotOpen } from './sqlite-file.ts';

/**
 * Damage of a write-ahead log behind which commits are lost. SQLite takes the first invalid frame for the end of the
 * log and says nothing about those that follow.
 */
export interface LogDamage {
  /** The bytes that are still read. */
  readonly readBytes: number;
  /** The bytes that are lost, up to the last commit. */
  readonly lostBytes: number;
}

interface Header {
  readonly isLittleEndian: boolean;
  readonly pageBytes: number;
  readonly salts: bigint;
  readonly checksum: Checksum;
}

type Checksum = readonly [number, number];

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
/** Checked in a second. The log is cut to 64 MB after each checkpoint. */
const MAX_CHECKED_BYTES = 1_073_741_824;
/** A process that writes beside this one has finished its frame by then. */
const LOOK_AGAIN_MS = 200;

/**
 * Looks for damage in the log beside a database, before SQLite opens it. A torn end was not committed, so it is
 * no damage. The format: https://www.sqlite.org/fileformat2.html#walformat
 *
 * @throws StorageError when the log cannot be read.
 */
export async function findLogDamage(databaseFile: string): Promise<LogDamage | null> {
  const file = `${databaseFile}-wal`;
  try {
    const first = readDamage(file);
    if (first === null) return null;
    await wait(LOOK_AGAIN_MS);
    const second = readDamage(file);
    return second?.readBytes === first.readBytes ? second : null;
  } catch (error) {
    throw cannotOpen(databaseFile, error);
  }
}

function readDamage(file: string): LogDamage | null {
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes <= HEADER_BYTES) return null;
  const descriptor = openSync(file, 'r');
  try {
    const header = readHeader(read(descriptor, 0, HEADER_BYTES));
    if (header === null) return { readBytes: 0, lostBytes: sizeBytes };
    return damageOfFrames(descriptor, header, Math.min(sizeBytes, MAX_CHECKED_BYTES));
  } finally {
    closeSync(descriptor);
  }
}

/** A later frame of the same generation (salts) that ends a commit shows that more was written. */
function damageOfFrames(descriptor: number, header: Header, endBytes: number): LogDamage | null {
  const frameBytes = FRAME_HEADER_BYTES + header.pageBytes;
  let { checksum } = header;
  let readBytes = HEADER_BYTES;
  let isValid = true;
  let lastCommitBytes = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= endBytes; at += frameBytes) {
    // After the first invalid frame, only the head of each frame tells something.
    const frame = read(descriptor, at, isValid ? frameBytes : FRAME_HEADER_BYTES);
    const isOfGeneration = frame.getBigUint64(8) === header.salts;
    if (isValid) {
      const sum = sumOf(frame, [0, 8], checksum, header.isLittleEndian);
      checksum = sumOf(frame, [FRAME_HEADER_BYTES, frameBytes], sum, header.isLittleEndian);
      isValid = isOfGeneration && frame.getUint32(16) === checksum[0] && frame.getUint32(20) === checksum[1];
      if (isValid) readBytes = at + frameBytes;
    } else if (isOfGeneration && frame.getUint32(4) !== 0) {
      lastCommitBytes = at + frameBytes;
    }
  }
  return lastCommitBytes === 0 ? null : { readBytes, lostBytes: lastCommitBytes - readBytes };
}

/** Null when it is damaged: then SQLite ignores the whole log. */
function readHeader(bytes: DataView): Header | null {
  const magic = bytes.getUint32(0);
  // The last bit says in which order the checksum reads words.
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
  const isLittleEndian = (magic & 1) === 0;
  const checksum = sumOf(bytes, [0, 24], [0, 0], isLittleEndian);
  if (checksum[0] !== bytes.getUint32(24) || checksum[1] !== bytes.getUint32(28)) return null;
  return { isLittleEndian, pageBytes: bytes.getUint32(8), salts: bytes.getBigUint64(16), checksum };
}

function sumOf(
  bytes: DataView,
  [from, to]: readonly [number, number],
  [first, second]: Checksum,
  isLittleEndian: boolean,
): Checksum {
  let a = first;
  let b = second;
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + bytes.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}

/** What a shorter file lacks is zero. */
function read(descriptor: number, at: number, length: number): DataView {
  const bytes = new Uint8Array(length);
  readSync(descriptor, bytes, 0, length, at);
  return new DataView(bytes.buffer);
}
