const PERCENT = 0x25;

/**
 * Decodes the escapes of forms, and the escapes that decoding creates, at any depth. Other text stays. Takes linear
 * time: each byte is written once, and each escape removes two.
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

/** -1 when it is not a hex digit. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
