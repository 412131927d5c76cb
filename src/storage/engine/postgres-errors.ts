import { StorageAwayError, StorageBusyError, StorageError, StorageInDoubtError } from '../storage-error.ts';

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TRY_AGAIN = /^(40001|40P01|55P03|57014)$/;
/** Nothing of the statement was done: the server is read-only, has no free connection, or is starting or stopping. */
const NOT_DONE = /^(25006|53300|57P03)$/;
const CONNECTION_ENDED = /^(08...|57P0[1245]|25P0[34])$/;
const NO_ROOM = /^53[12]00$/;
const NO_ACCESS = /^(28...|3D000|3F000|42501)$/;
/** Of Node, about the certificate of the server. One that is not valid yet is left out: the clock may be wrong after a start. */
const DISTRUSTED =
  /^(CERT_(?!NOT_YET_VALID)|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|ERR_TLS_CERT_ALTNAME|INVALID_CA|INVALID_PURPOSE)/;

/** Converts an error of the driver or the server to an error of the storage. Bugs stay unchanged. */
export function translatePostgresError(error: unknown, name: string): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const { code = '', message } = error as Error & { readonly code?: string };
  const cause = { cause: error };
  if (TRY_AGAIN.test(code)) {
    return new StorageBusyError(
      `The database ${name} could not finish in time (${message}): try again.`,
      cause,
    );
  }
  if (NOT_DONE.test(code) || wasEndedBefore(message)) return away(name, error);
  if (NO_ROOM.test(code)) {
    return new StorageError(
      `The database ${name} has no room left (${message}): free some space on its disk.`,
      cause,
    );
  }
  if (NO_ACCESS.test(code)) {
    return refused(name, error);
  }
  if (CONNECTION_ENDED.test(code) || isSocketError(code, message)) {
    return new StorageInDoubtError(
      `The connection to the database ${name} ended before its answer (${message}).`,
      cause,
    );
  }
  return error;
}

/** The same for a connection that could not be made: nothing was sent. */
export function translateConnectError(error: unknown, name: string): unknown {
  const translated = translatePostgresError(error, name);
  if (isDistrusted(error)) {
    return new StorageAwayError(
      `The certificate of the database ${name} cannot be verified (${error.message}): add sslrootcert= with the file of its authority to storage.records, write the host of the certificate, or encrypt without this check (sslmode=no-verify).`,
      { cause: error },
    );
  }
  if (error instanceof Error && error.message.startsWith('SASL: ')) return refused(name, error);
  if (translated instanceof StorageInDoubtError) return away(name, error as Error);
  // Without a code of the server: TLS, or a name that does not resolve.
  return translated === error && error instanceof Error && !isSqlState(error)
    ? away(name, error)
    : translated;
}

/** The error of a transaction whose commit was not sent yet: PostgreSQL has rolled it back. */
export function asNotWritten(error: unknown): unknown {
  return error instanceof StorageInDoubtError ? new StorageAwayError(error.message, { cause: error }) : error;
}

/** After such an answer a connection is of no use: a server that became a replica only answers reads. */
export function endsPool(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '25006';
}

/** Whether a connection failed because of the certificate of the server: waiting changes nothing. */
export function isDistrusted(error: unknown): error is Error {
  return error instanceof Error && DISTRUSTED.test((error as NodeJS.ErrnoException).code ?? '');
}

function refused(name: string, cause: Error): StorageError {
  return new StorageError(
    `The database ${name} refuses this user (${cause.message}): check the user, the password, the database and its rights in storage.records.`,
    { cause },
  );
}

function away(name: string, cause: Error): StorageAwayError {
  return new StorageAwayError(
    `The database ${name} does not answer, or does not accept writes (${cause.message}).`,
    {
      cause,
    },
  );
}

/** What is no answer of the server comes from the socket, or from the driver about its socket. */
function isSocketError(code: string, message: string): boolean {
  return /^E[A-Z]{3,}$/.test(code) || message.startsWith('Connection terminated');
}

/** The driver refuses to send on a connection that it knows to be closed. */
function wasEndedBefore(message: string): boolean {
  return /^Client (has encountered a connection error|was closed)/.test(message);
}

function isSqlState(error: Error): boolean {
  return 'severity' in error;
}
