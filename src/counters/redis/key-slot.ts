const SLOTS = 16_384;

/** The slot of a tag in a cluster: CRC16 (XMODEM) modulo 16,384, as the cluster specification requires. */
export function slotOfTag(tag: string): number {
  let crc = 0;
  for (let i = 0; i < tag.length; i++) {
    crc ^= tag.charCodeAt(i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc % SLOTS;
}
