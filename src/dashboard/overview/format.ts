export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** Made once: a page has hundreds of shares, and `toLocaleString` with options makes one for each. */
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12.3`, for 0.123. */
export function formatPercent(share: number): string {
  return ONE_DIGIT.format(100 * share);
}

/** `12.3 %`; a dash when the total is zero. A small share is never shown as 0 %. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 0.1) return '< 0.1 %';
  if (part < whole && percent > 99.9) return '> 99.9 %';
  return `${ONE_DIGIT.format(percent)} %`;
}

/** `+12 %`, `−3 %`; a dash when there was nothing before. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return '–';
  const percent = Math.round((100 * (now - before)) / before);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${Math.abs(percent).toLocaleString('en')} %`;
}

/** Milliseconds in a readable unit, with two significant digits. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  const [value, unit] = ms < 1 ? [ms * 1_000, 'µs'] : [ms, 'ms'];
  return `${Number(value.toPrecision(2)).toLocaleString('en')} ${unit}`;
}
