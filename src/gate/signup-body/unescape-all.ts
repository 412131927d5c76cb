const PERCENT = 0x25;

/**
 * Undoes the escapes of forms, and those that appear by it, however often a text was escaped. What is no escape stays.
 * Takes linear time: each byte is written once, and each escape takes two away.
 */
export function unescapeAll(bytes: Buffer): Buffer {
  const first = bytes.indexOf(PERCENT);
  if (first === -1) return bytes;
  const shown = Buffer.from(bytes);
  let length = first;
  for (let i = first; i < bytes.length; i++) {
    shown[length++] = bytes[i] ?? 0;
    while (length >= first + 3 && shown[length - 3] === PERCENT) {
      const high = hexDigit(shown[length - 2]);
      const low = hexDigit(shown[length - 1]);
      if (high < 0 || low < 0) break;
      length -= 2;
      shown[length - 1] = high * 16 + low;
    }
  }
  return shown.subarray(0, length);
}

/** -1 where it is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
