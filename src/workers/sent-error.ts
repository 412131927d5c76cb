import { ConfigError, type ConfigIssue } from '../config/config-error.ts';
import {
  StorageAwayError,
  StorageBusyError,
  StorageConflictError,
  StorageError,
  StorageInDoubtError,
} from '../storage/storage-error.ts';

/**
 * An error in the form in which it is sent to another process. Of a plain error object, only the message would arrive.
 */
export interface SentError {
  readonly name: string;
  readonly message: string;
  /** The code of a system error, such as `EADDRINUSE`. */
  readonly code: string | null;
  /** The issues of a ConfigError. */
  readonly issues: readonly ConfigIssue[];
}

const STORAGE_ERRORS = new Map<string, new (message: string) => StorageError>([
  ['StorageError', StorageError],
  ['StorageBusyError', StorageBusyError],
  ['StorageAwayError', StorageAwayError],
  ['StorageInDoubtError', StorageInDoubtError],
  ['StorageConflictError', StorageConflictError],
]);

export function describeError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: null, issues: [] };
  const { name, message, code } = error as NodeJS.ErrnoException;
  const issues = error instanceof ConfigError ? error.issues : [];
  return { name, message, code: code ?? null, issues };
}

/** An error of the same class, so that the caller treats it as its own. */
export function reviveError({ name, message, code, issues }: SentError): Error {
  if (name === 'ConfigError') return new ConfigError(issues, null);
  const StorageErrorClass = STORAGE_ERRORS.get(name);
  if (StorageErrorClass) return new StorageErrorClass(message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}
