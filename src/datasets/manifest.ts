import { hash } from 'node:crypto';

/** The description of one built-in data set, written by `npm run build`. */
export interface ManifestSet {
  readonly name: string;
  readonly files: readonly ManifestFile[];
  /** The packages and versions of its sources: `mailchecker 6.0.21, fakefilter 0.1.1476`. */
  readonly source: string;
  readonly licence: string;
  /** The date of publication of its newest source, in ISO 8601. */
  readonly date: string;
  readonly entries: number;
  /** The first 12 hex digits of the SHA-256 over its content. */
  readonly revision: string;
}

export interface ManifestFile {
  readonly name: string;
  /** The checksum of the whole file in hex. A start refuses a damaged file. */
  readonly sha256: string;
}

export interface Manifest {
  /**
   * The format number. It increases when the layout of a file changes, so that old files are refused and not misread.
   */
  readonly format: typeof MANIFEST_FORMAT;
  readonly sets: readonly ManifestSet[];
}

export const MANIFEST_FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';

/** The first 12 hex digits: short enough to read aloud, and long enough to distinguish revisions. */
export function revisionOf(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, 12);
}

/** Reads a manifest. Throws an Error that says what is wrong. */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value.format !== MANIFEST_FORMAT) {
    throw new Error(`its format is not ${MANIFEST_FORMAT}`);
  }
  if (!Array.isArray(value.sets) || !value.sets.every(isManifestSet)) throw new Error('its sets are damaged');
  return { format: MANIFEST_FORMAT, sets: value.sets };
}

function isManifestSet(value: unknown): value is ManifestSet {
  return (
    isRecord(value) &&
    ['name', 'source', 'licence', 'date', 'revision'].every((key) => typeof value[key] === 'string') &&
    typeof value.entries === 'number' &&
    Array.isArray(value.files) &&
    value.files.every((file) => isRecord(file) && isFileName(file.name) && typeof file.sha256 === 'string')
  );
}

/** Whether the name is a plain file name inside the folder, and not a path to another folder. */
function isFileName(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9][a-z0-9.-]*$/.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
