/** Why the shared counters did not answer; a label of a metric and the evidence of an examination. */
export type FaultCause =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'read_only'
  | 'out_of_memory'
  | 'busy'
  | 'loading'
  | 'cluster_down'
  | 'not_persisting'
  | 'no_replicas'
  | 'denied'
  | 'failed';

/** A call that was not answered. It has no `cause`: the client's errors carry the arguments of the call. */
export class CountersFault extends Error {
  override readonly name = 'CountersFault';
  readonly because: FaultCause;

  constructor(because: FaultCause) {
    super(`The shared counters did not answer: ${because}`);
    this.because = because;
  }
}

/** By the first word of the server's answer. */
const BY_WORD: Readonly<Record<string, FaultCause>> = {
  READONLY: 'read_only',
  OOM: 'out_of_memory',
  BUSY: 'busy',
  LOADING: 'loading',
  MASTERDOWN: 'loading',
  CLUSTERDOWN: 'cluster_down',
  TRYAGAIN: 'cluster_down',
  MOVED: 'cluster_down',
  ASK: 'cluster_down',
  MISCONF: 'not_persisting',
  NOREPLICAS: 'no_replicas',
  WRONGPASS: 'denied',
  NOAUTH: 'denied',
  NOPERM: 'denied',
};
/** Words of the client, which has no codes for them. */
const UNREACHABLE =
  /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|writeable|closed|close|ended|sentinels|refresh slots|max retries/i;

/** A script's error has the code of the command that failed in it: its first word, or after `ERR`. */
export function causeOf(error: unknown): FaultCause {
  if (error instanceof CountersFault) return error.because;
  const message = error instanceof Error ? error.message : String(error);
  const known = BY_WORD[/^-?(?:ERR )?([A-Z]+)\b/.exec(message)?.[1] ?? ''];
  if (known) return known;
  if (/invalid (?:username-)?password/i.test(message)) return 'denied';
  if (/denied|no permission/i.test(message)) return 'denied';
  return UNREACHABLE.test(message) ? 'unreachable' : 'failed';
}
