/**
 * Several typed arrays in one file: a mark, their number, the byte length of each, and then each one aligned to four
 * bytes, so that it is used in place. All numbers are little-endian, like the machines that Node runs on. A big-endian
 * machine does not recognise the mark.
 */
const MARK = 0x31534b47;
const ALIGNMENT = 4;

export function packSections(sections: readonly (Uint8Array | Uint32Array)[]): Uint8Array {
  const lengths = sections.map((section) => section.byteLength);
  const head = new Uint32Array([MARK, sections.length, ...lengths]);
  const packed = new Uint8Array(head.byteLength + lengths.reduce((sum, length) => sum + aligned(length), 0));
  packed.set(new Uint8Array(head.buffer));
  let at = head.byteLength;
  for (const section of sections) {
    packed.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += aligned(section.byteLength);
  }
  return packed;
}

/** @throws {Error} when the bytes have another format or are incomplete; the message completes "the file …". */
export function unpackSections(bytes: Uint8Array, count: number): Uint8Array[] {
  const file = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const headLength = ALIGNMENT * (2 + count);
  if (file.byteLength < headLength) throw new Error('is too short to be a data file of this version');
  const head = new Uint32Array(file.buffer, file.byteOffset, 2 + count);
  if (head[0] !== MARK || head[1] !== count) throw new Error('is not a data file of this version');
  const sections: Uint8Array[] = [];
  let at = headLength;
  for (const length of head.subarray(2)) {
    sections.push(file.subarray(at, at + length));
    at += aligned(length);
  }
  if (at !== file.byteLength) throw new Error(`is ${file.byteLength} bytes long where ${at} were written`);
  return sections;
}

/** The same bytes as words. @throws {Error} when their length is not a multiple of four. */
export function asWords(section: Uint8Array): Uint32Array {
  if (section.byteLength % ALIGNMENT !== 0) throw new Error('holds a broken section');
  return new Uint32Array(section.buffer, section.byteOffset, section.byteLength / ALIGNMENT);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
