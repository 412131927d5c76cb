/** The text in the log and in `/readyz` that says that this node counts alone. */
export function describeLocal(since: number): string {
  return `local since ${new Date(since).toISOString()}`;
}
