/** The reason why the shared counters did not answer: a label of a metric, and evidence of an examination. */
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

/** A call without an answer. It has no `cause`, because the client's errors contain the arguments of the call. */
export class CountersFault extends Error {
  override readonly name = 'CountersFault';
  readonly because: FaultCause;

  constructor(because: FaultCause) {
    super(`The shared counters did not answer: ${because}`);
    this.because = because;
  }
}

/** The reasons by the first word of the server's error. */
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
/** Error messages of the client, because it has no error codes for these cases. */
const UNREACHABLE =
  /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|socket timeout|writeable|isn't ready|close|disconnected|ended|sentinels|startup nodes|refresh slots|max retries/i;
/** The text that the client puts before the message of the last server of a cluster, or of the last Sentinel. */
const LAST_OF_SEVERAL = /^.* Last error: (?:\w*Error: )?/;

/** The error of a script contains the code of the failed command: its first word, or the word after `ERR`. */
export function causeOf(error: unknown): FaultCause {
  if (error instanceof CountersFault) return error.because;
  const message = (error instanceof Error ? error.message : String(error)).replace(LAST_OF_SEVERAL, '');
  const known = BY_WORD[/^-?(?:ERR )?([A-Z]+)\b/.exec(message)?.[1] ?? ''];
  if (known) return known;
  if (/invalid (?:username-)?password/i.test(message)) return 'denied';
  if (/denied|no permission/i.test(message)) return 'denied';
  return UNREACHABLE.test(message) ? 'unreachable' : 'failed';
}
