const HIGH_SHARE = 0.8;

/** The used part of a limit, as a bar and in words. */
export function UsageMeter({
  used,
  limit,
  of,
}: {
  readonly used: number;
  readonly limit: number;
  readonly of: string;
}) {
  const text = `${countText(used)} of ${countText(limit)} used`;
  return (
    <meter
      min={0}
      // A plan of zero requests has no bar.
      max={Math.max(limit, 1)}
      high={limit * HIGH_SHARE}
      value={Math.min(used, limit)}
      aria-label={`${of}: ${text}`}
      title={text}
    >
      {text}
    </meter>
  );
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}
