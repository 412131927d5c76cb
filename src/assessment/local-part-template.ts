/**
 * The pattern a local part is spelled after, so that `anna1984` and `bert2001` count as one template. Digits become
 * `0` and letters become `a`, runs are kept by length; a plain word alone is no template.
 *
 * @returns null where the shape is too common to count.
 */
export function localPartTemplate(localPart: string): string | null {
  const shape = localPart.toLowerCase().replace(/\p{L}/gu, 'a').replace(/\p{N}/gu, '0');
  return /0/.test(shape) ? shape : null;
}
