/** How log and `/readyz` say that this node counts alone. */
export function describeLocal(since: number): string {
  return `local since ${new Date(since).toISOString()}`;
}
