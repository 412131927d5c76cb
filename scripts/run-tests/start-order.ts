/**
 * The start order of test files: the slowest first, or the last one runs alone at the end. Names at the top take minutes,
 * most of which are waits; the names below them need much CPU time.
 */
const SLOWEST_FIRST: readonly RegExp[] = [
  /\/(?:end-to-end\/(?:records-outage|lost-mails)|deploy\/image)\./,
  /\/end-to-end\/(?:exports|demo|demo-process|differential|dashboard-hostile|package|kill\/|reload|workers|chaos|copied-records|counters-outage)/,
  /\/shared\/full-(?:dashboard|storage)-/,
  /\/gate\/large-uploads\./,
  /\/end-to-end\//,
  /\/shared\/(?:pages|parts|storage|verification|dns)-/,
  /\/(?:gate\/(?:hold|unheld-signups|repeated-senders|gate|overload|signup-bytes|correction|corrected-bodies)|library\/middleware\/http|gatekeeper|reloaded-settings)\.test\./,
  /\/shared\//,
];

/** They wait most of the time, so they run beside the files that keep the cores busy. */
const WAITING = [
  /\/end-to-end\/(?:(?:records|counters)-outage|lost-mails|silent-worker|failover-faults|full-disk|hold-outage)\.long\./,
  /\/end-to-end\/(?:kill\/kill|chaos|rolling-restart|records-copy-killed|copied-records|postgres-(?:records|jobs))\.long\./,
  /\/end-to-end\/(?:demo(?:-process)?|every-page|nodes|counters-fleet|exports|any-node)\.long\./,
  /\/end-to-end\/(?:dashboard(?:-hostile)?|api-fuzz|around-the-path|binders|framing-by-strangers|aborted-downloads)\.test\./,
  /\/end-to-end\/(?:campaigns|package|(?:browser|corrected)-signups)\.test\./,
  /\/(?:shared\/full-(?:storage|cli)-\d+\.test|held-signups\/held-signups\.full)\./,
  /\/(?:image|engines-agree|end-stuck-process|faults|fleet-faults|fleet-page|(?:rollups|copy-records)-postgres)\.long\./,
];
const WAITING_AT_ONCE = 2;

/** Files that run at the same time as those of the other lanes. */
export interface Lane {
  readonly files: readonly string[];
  /** How many of them run at a time. */
  readonly concurrency: number;
}

/** @param atOnce how many files keep the machine busy. */
export function lanesOf(files: readonly string[], atOnce: number): readonly Lane[] {
  const waiting = files.filter(isWaiting);
  const busy = files.filter((file) => !isWaiting(file));
  return [
    { files: busy, concurrency: atOnce },
    { files: waiting, concurrency: WAITING_AT_ONCE },
  ].filter((lane) => lane.files.length > 0);
}

/** @param files paths from the root of the project. */
export function startOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function isWaiting(file: string): boolean {
  return WAITING.some((name) => name.test(file));
}

function rankOf(file: string): number {
  const rank = SLOWEST_FIRST.findIndex((name) => name.test(file));
  return rank === -1 ? SLOWEST_FIRST.length : rank;
}
