/** One problem in a configuration file. */
export interface ConfigIssue {
  /** The path of the setting: `proxy.routes[1].methods`. Empty when the problem concerns the whole file. */
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** How to correct the problem: `did you mean "methods"?`. Null when the message is enough. */
  readonly hint: string | null;
}

/** More than anyone writes by hand. Of a list of 100,000 wrong entries, further issues are only counted. */
const MAX_SHOWN = 500;

/** An invalid configuration, with all its issues in the order of the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  /**
   * @param fileName The name that the user knows; null when there is no file.
   * @param correction Text for the file that corrects the issues. Null when no correction is known.
   */
  constructor(issues: readonly ConfigIssue[], fileName: string | null, correction: string | null = null) {
    const ordered = [...issues].sort((a, b) => a.line - b.line || a.column - b.column);
    const list = formatIssues(ordered, fileName);
    super(correction === null ? list : `${list}\nWrite:\n\n${correction}`);
    this.issues = ordered;
  }
}

/** Each issue is one line: `gatekeeper.yaml:12:7 proxy.routes[0].metods: unknown key; did you mean "methods"?` */
function formatIssues(issues: readonly ConfigIssue[], fileName: string | null): string {
  const lines = issues.slice(0, MAX_SHOWN).map(({ path, line, column, message, hint }) => {
    const place = fileName === null ? 'configuration' : `${fileName}:${line}:${column}`;
    return `${place}${path ? ` ${path}` : ''}: ${message}${hint === null ? '' : `; ${hint}`}`;
  });
  const more = issues.length - MAX_SHOWN;
  if (more > 0) lines.push(`… and ${more} more`);
  return lines.join('\n');
}
