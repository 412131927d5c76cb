import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StorageError } from '../storage-error.ts';

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** The driver reads these as `verify-full` and warns of it at every start. */
const STRICT_MODES = ['prefer', 'require', 'verify-ca'];
/** The driver fails at any other text, and at `false`, which gets its name of the driver here. */
const SSL_VALUES = ['true', '1', 'no-verify', 'false', '0'];
/** Of the driver and of libpq (PostgreSQL 17, 32.1.2): URLs of hosting companies contain them. */
const TLS_PARAMETERS = [
  ...[
    'ssl',
    'sslmode',
    'sslrootcert',
    'sslcert',
    'sslkey',
    'sslpassword',
    'sslnegotiation',
    'sslcompression',
  ],
  ...['sslcertmode', 'sslcrl', 'sslcrldir', 'sslsni', 'ssl_min_protocol_version', 'ssl_max_protocol_version'],
];

/**
 * Checks the TLS parameters and their files, and gives the driver the values that it knows. The driver ignores a misspelled
 * parameter, and the connection would not be encrypted.
 *
 * @throws StorageError
 */
export function readTls({ searchParams }: URL): void {
  const unknown = [...searchParams.keys()].find(
    (name) => /^ssl/i.test(name) && !TLS_PARAMETERS.includes(name),
  );
  if (unknown !== undefined) {
    throw new StorageError(
      `The URL in storage.records has the unknown parameter ${unknown}: write ${TLS_PARAMETERS.slice(0, 5).join(', ')}.`,
    );
  }
  const modes = searchParams.getAll('sslmode');
  refuseOthers('sslmode', modes, TLS_MODES);
  const isStrict = modes.some((mode) => STRICT_MODES.includes(mode));
  if (isStrict && !searchParams.has('uselibpqcompat')) searchParams.set('sslmode', 'verify-full');
  const ssl = searchParams.getAll('ssl');
  refuseOthers('ssl', ssl, SSL_VALUES);
  if (ssl.at(-1) === 'false') searchParams.set('ssl', '0');
  refuseUnusableFiles(searchParams);
}

function refuseOthers(name: string, values: readonly string[], known: readonly string[]): void {
  const wrong = values.find((value) => !known.includes(value));
  if (wrong === undefined) return;
  throw new StorageError(
    `The URL in storage.records has ${name}=${wrong}: write sslmode=verify-full, no-verify or disable.`,
  );
}

/**
 * The driver reads these files for each connection. Found here, a file of no use ends the start at once. A file without a
 * certificate would count as no authority at all.
 */
function refuseUnusableFiles(searchParams: URLSearchParams): void {
  const read = <T>(name: string, parse: (text: string) => T): T | null => {
    const file = searchParams.get(name);
    if (!file) return null;
    try {
      return parse(readFileSync(file, 'utf8'));
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const isUnread = /^E[A-Z]+$/.test(code ?? '');
      throw new StorageError(
        isUnread
          ? `The file of ${name} in the URL of storage.records cannot be read (${code}: ${file}): correct its path or its permissions${name === 'sslrootcert' ? ', or leave it out for a certificate of a public authority' : ''}.`
          : `The file of ${name} in the URL of storage.records has no ${name === 'sslkey' ? 'private key without a passphrase' : 'certificate'} in PEM (${message}): ${file}.`,
        { cause },
      );
    }
  };
  read('sslrootcert', (text) => new X509Certificate(text));
  const certificate = read('sslcert', (text) => new X509Certificate(text));
  const key = read('sslkey', (text) => createPrivateKey(text));
  if (certificate && key && !certificate.checkPrivateKey(key)) {
    throw new StorageError(
      'The files of sslcert and sslkey in the URL of storage.records do not belong together: name the key of the certificate.',
    );
  }
}
