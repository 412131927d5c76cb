/** What a run of AVA says of its tests and of the files that they are in. */
export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files with a failed test, an uncaught exception or a bad end. */
  readonly failedFiles: readonly string[];
}

const PASSED = /^ {2}✔ /;
const FAILED = /^ {2}✘ \[(?:fail|unexpected pass)\]: (.*)/;
const SKIPPED = /^ {2}- \[skip\] /;
/** An end by a signal or an exit code, an error outside of a test, a process that does not end. */
const OF_A_FILE =
  /(?:exception in|rejection in|✘|when running|remaining in|pending in) (test\/\S+\.test\.js)/;

/**
 * @param output what AVA printed without a terminal and without colours.
 * @param files those that it ran, as paths from the root of the project. All are below `test`, in several folders.
 */
export function readAvaOutput(output: string, files: readonly string[]): TestOutcome {
  const lines = output.split('\n');
  const titles = lines.flatMap((line) => FAILED.exec(line)?.[1] ?? []);
  const named = new Set(lines.flatMap((line) => OF_A_FILE.exec(line)?.[1] ?? []));
  const failedFiles = files.filter(
    (file) => named.has(file) || titles.some((title) => title.startsWith(titlePrefix(file))),
  );
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
  return { passed: count(PASSED), failed: titles.length, skipped: count(SKIPPED), failedFiles };
}

/** How AVA begins the titles of a file. */
function titlePrefix(file: string): string {
  return `${file
    .replace(/^test\//, '')
    .replace(/\.test\.js$/, '')
    .split('/')
    .join(' › ')} › `;
}
