/** The levels of several decisions as one bar, with the numbers beside it. */
export function LevelBar({
  levels: { low, medium, high },
}: {
  readonly levels: { readonly low: number; readonly medium: number; readonly high: number };
}) {
  const all = Math.max(1, low + medium + high);
  const wide = (count: number) => (100 * count) / all;
  return (
    <svg class="levels" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="high" x="0" y="0" width={wide(high)} height="8" />
      <rect class="medium" x={wide(high)} y="0" width={wide(medium)} height="8" />
      <rect class="low" x={wide(high + medium)} y="0" width={wide(low)} height="8" />
    </svg>
  );
}
