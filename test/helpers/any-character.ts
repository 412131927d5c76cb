import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const LAST = 0x10ffff;

/**
 * Every Unicode character, as a `unit` of `fc.string`. The unit `binary` of fast-check has the same characters, but looks
 * them up in a table of a million rows, which takes 0.8 s of CPU time in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES.count })
  .map(toCharacter, toIndex);

function toCharacter(index: number): string {
  return String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count);
}

/** fast-check asks for it to mix in known dangerous texts, such as `__proto__`, and to shrink them. */
function toIndex(value: unknown): number {
  const codePoint = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (codePoint === undefined || value !== String.fromCodePoint(codePoint))
    throw new Error('not one character');
  const isSurrogate = codePoint >= SURROGATES.first && codePoint < SURROGATES.first + SURROGATES.count;
  if (isSurrogate) throw new Error('half a character');
  return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count;
}
