// biome-ignore lint/suspicious/noControlCharactersInRegex: Java trims all of them
const TO_TRIM = /\/[\x00-\x20]|[\x00-\x20.](?:\/|$)/;

/** Older Spring trims white space around each segment, and Windows drops a dot at its end. */
export function trimSegments(path: string): string {
  if (!TO_TRIM.test(path)) return path;
  return path.split('/').map(trimSegment).join('/');
}

function trimSegment(segment: string): string {
  let start = 0;
  let end = segment.length;
  while (start < end && segment.charCodeAt(start) <= 0x20) start++;
  while (end > start && segment.charCodeAt(end - 1) <= 0x20) end--;
  const isDots = /^\.*$/.test(segment.slice(start, end));
  while (!isDots && end > start && (segment.charCodeAt(end - 1) <= 0x20 || segment[end - 1] === '.')) end--;
  return segment.slice(start, end);
}
