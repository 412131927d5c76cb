/**
 * The start order of test files: the slowest first, or the last one runs alone at the end. Names at the top take minutes,
 * most of which are waits; the names below them need much CPU time.
 */
const SLOWEST_FIRST: readonly RegExp[] = [
  /\/end-to-end\/lost-mails\./,
  /\/end-to-end\/(?:exports|demo|demo-process|package|kill\/|reload|workers|records-outage|counters-outage)/,
  /\/deploy\/.*\.full\./,
  /\/gate\/large-uploads\./,
  /\/end-to-end\//,
  /\/shared\/(?:pages|parts|storage|verification|dns)-/,
  /\/(?:gate\/(?:hold|gate|correction)|library\/middleware\/http|gatekeeper)\.test\./,
  /\/shared\//,
];

/** They wait most of the time, so they run beside the files that keep the cores busy. */
const WAITING =
  /\/(?:end-to-end\/(?:lost-mails|exports|silent-worker|(?:records|counters)-outage|postgres-records|kill\/kill|records-copy-killed|full-disk|failover-faults)|(?:rollups|copy-records)-postgres\.full|(?:held-signups|engines-agree)\.full|end-stuck-process\.full)\.test\./;
const WAITING_AT_ONCE = 3;

/** Files that run at the same time as those of the other lanes. */
export interface Lane {
  readonly files: readonly string[];
  /** How many of them run at a time. */
  readonly concurrency: number;
}

/** @param atOnce how many files keep the machine busy. */
export function lanesOf(files: readonly string[], atOnce: number): readonly Lane[] {
  const waiting = files.filter((file) => WAITING.test(file));
  const busy = files.filter((file) => !WAITING.test(file));
  return [
    { files: busy, concurrency: atOnce },
    { files: waiting, concurrency: WAITING_AT_ONCE },
  ].filter((lane) => lane.files.length > 0);
}

/** @param files paths from the root of the project. */
export function startOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf(file: string): number {
  const rank = SLOWEST_FIRST.findIndex((name) => name.test(file));
  return rank === -1 ? SLOWEST_FIRST.length : rank;
}
